var qm=Object.create;var Eo=Object.defineProperty;var Gm=Object.getOwnPropertyDescriptor;var _m=Object.getOwnPropertyNames;var Fm=Object.getPrototypeOf,Km=Object.prototype.hasOwnProperty;var Aa=n=>e=>{var t=n[e];if(t)return t();throw new Error("Module not found in bundle: "+e)};var b=(n,e,t)=>()=>{if(t)throw t[0];try{return n&&(e=n(n=0)),e}catch(s){throw t=[s],s}};var Vm=(n,e)=>()=>{try{return e||n((e={exports:{}}).exports,e),e.exports}catch(t){throw e=0,t}},k=(n,e)=>{for(var t in e)Eo(n,t,{get:e[t],enumerable:!0})},Jm=(n,e,t,s)=>{if(e&&typeof e=="object"||typeof e=="function")for(let o of _m(e))!Km.call(n,o)&&o!==t&&Eo(n,o,{get:()=>e[o],enumerable:!(s=Gm(e,o))||s.enumerable});return n};var Ra=(n,e,t)=>(t=n!=null?qm(Fm(n)):{},Jm(e||!n||!n.__esModule?Eo(t,"default",{value:n,enumerable:!0}):t,n));var So=Vm(()=>{var Oa="compare",Xm=history.pushState.bind(history),Lo={from:"",at:-1/0};history.pushState=(n,e,t)=>{let s=new URL(t??"",location.href),o=s.pathname!==location.pathname,r=s.searchParams.has(Oa)&&!new URLSearchParams(location.search).has(Oa);!o&&location.search&&!s.search&&(Lo={from:location.href,at:performance.now()}),o&&!location.search&&performance.now()-Lo.at<1e3&&history.replaceState(history.state,"",Lo.from),o||r?Xm(n,e,s.href):history.replaceState(n,e,t)}});var Na={};k(Na,{APP:()=>et,BLOCK:()=>fn,COLUMN:()=>os,COMPONENT:()=>Co,CONNECTION:()=>rs,MAIN:()=>j,MAIN_BLOCK:()=>un,NAVIGATION_LINK:()=>gn,REVEAL:()=>Ao,ROW:()=>$o,SCRIPT_STATE:()=>Ge,SKELETON:()=>Mo,keyed:()=>U});var et,j,un,Co,Mo,os,$o,fn,gn,Ge,Ao,rs,U,J=b(()=>{et=".stApp",j=".stMain",un=".stMainBlockContainer",Co=".stBidiComponent",Mo="[data-testid=stSkeleton]",os=".stColumn",$o=".stHorizontalBlock",fn=`:is(.stElementContainer, [data-testid=stLayoutWrapper], ${os})`,gn=":is(.stAppHeader, .stSidebar) a",Ge="data-test-script-state",Ao="[class*=st-key-reveal-] button",rs="data-test-connection-state",U=n=>`.st-key-${n}`});var Wa={};k(Wa,{release:()=>vt});function za(){if(!Re||Re.isConnected&&!Re.matches(":disabled")||document.querySelector(et)?.getAttribute(Ge)!=="notRunning")return;let[n,e]=[Re,Ro];vt(),Ba(n,e)}function Ba(n,e,t=Ha){if(document.activeElement!==document.body)return;let s=n.isConnected?n.matches(":disabled")?ep(n):n:Qm(e);s&&(!n.isConnected||t<Ha)?s.focus({preventScroll:s.matches(is)}):t&&setTimeout(Ba,Ia,n,e,t-1)}function Qm(n){return tp(n[0]?.key)??n.map(({key:e,at:t})=>Zm(e,t)).find(Boolean)??np()}function vt(){Re=null,Da.disconnect()}function Oo(n){return[...n.querySelectorAll(is)].filter(e=>!e.matches(":disabled")&&e.checkVisibility())}function Zm(n,e){let t=document.querySelector(`.${n}`),s=t?Oo(t):[];return s[Math.min(e,s.length-1)]}function ep(n){let e=n.parentElement;for(;e&&e.querySelectorAll(is).length<2;)e=e.parentElement;let t=e?Oo(e):[];return t.findLast(s=>n.compareDocumentPosition(s)&Node.DOCUMENT_POSITION_PRECEDING)??t[0]}function tp(n=""){if(!n.includes("-reveal-"))return;let e=document.querySelector(`.${n.replace("-reveal-","-found-")} .message`);return e?.setAttribute("tabindex","-1"),e}function np(){let n=[...document.querySelectorAll(`${j} :is(h2, h1)`)].filter(t=>t.checkVisibility()),e=n.find(t=>t.matches("h2"))??n[0];return e?.setAttribute("tabindex","-1"),e}var is,Ia,Ha,Ym,Re,Pa,Ro,Da,No=b(()=>{J();is="button, a[href], input, textarea, select, summary, [tabindex='0']:not(.term)",Ia=300,Ha=100,Ym=/st-key-[\w-]+/,Re=null,Pa=0,Ro=[],Da=new MutationObserver(()=>{za(),clearTimeout(Pa),Pa=setTimeout(za,Ia)});document.addEventListener("focusin",n=>{vt();let[e]=n.composedPath();if(!(!(e instanceof HTMLElement)||!e.matches(is)||!n.composedPath().some(t=>t instanceof Element&&t.matches(j)))){Re=e,Ro=[];for(let t=n.target;t;t=t.parentElement){let[s]=Ym.exec(t.className)??[];s&&Ro.push({key:s,at:Oo(t).indexOf(e)})}Da.observe(document.body,{childList:!0,subtree:!0,attributeFilter:[Ge]})}});document.addEventListener("focusout",()=>{setTimeout(()=>{Re?.isConnected&&!Re.matches(":disabled")&&document.activeElement===document.body&&vt()})});document.addEventListener("pointerdown",()=>Re&&!Re.isConnected&&vt(),{capture:!0})});var qa={};k(qa,{arrange:()=>de,button:()=>x,chooser:()=>Tt,clip:()=>bn,decimal:()=>q,drawing:()=>D,element:()=>c,exact:()=>_e,label:()=>ke,notices:()=>tt,penOf:()=>Oe,percent:()=>I,position:()=>Ne,range:()=>_t,remember:()=>X,remembered:()=>F,scrolling:()=>qt,short:()=>Gt,size:()=>nt,summary:()=>wn,tabular:()=>Ho,visible:()=>te,whole:()=>G,write:()=>y});function c(n,e="",...t){let s=document.createElement(n);e&&(s.className=e);for(let o of t)o&&(typeof o=="string"||o instanceof Node?s.append(o):Object.assign(s,o));return s}function x(n,e,t,s={}){let o=c("button",n,e,{type:"button",...s});return o.addEventListener("click",t),o}function Tt(n,e){let t=c("input","",{type:"file",accept:n,hidden:!0});return t.addEventListener("change",()=>{e([...t.files??[]]),t.value=""}),t}function qt(n,e,...t){return c("div",n,...t,{tabIndex:0,role:"region",ariaLabel:e})}function D(n,e,...t){let s=document.createElementNS("http://www.w3.org/2000/svg",n);for(let[o,r]of Object.entries(e))s.setAttribute(o,String(r));return s.append(...t),s}function Oe(n,e){return n.getContext("2d",e)}function F(n,e){try{return window[n].getItem(e)}catch{return null}}function X(n,e,t){try{window[n].setItem(e,t)}catch{}}function tt(){let n=c("div","playground-notice",{role:"status"});return document.body.append(n),n}function y(n,e){n.textContent!==e&&(n.textContent=e)}function de(n,e){let{children:t}=n;if(t.length===e.length&&e.every((o,r)=>t[r]===o))return;let s=n.getRootNode().activeElement;n.replaceChildren(...e),s instanceof HTMLElement&&n.contains(s)&&s.focus({preventScroll:!0})}function nt(n,e,t){n.style.width=`${e}px`,n.style.height=`${t}px`}function te(n){let e=n.replaceAll(`
`,"↵").replaceAll("	","⇥");return e.trim()?e:e.replaceAll(" ","␣")}function _e(n,e){let t=n.values[e],s=n.hidden?.[e]??0;return n.kind==="mask"?t?"allowed":`blocked${s?` (${ja[s]})`:""}`:s||t===-1/0?`${q(t)} (masked${s?`: ${ja[s]}`:""})`:n.whole?String(t):q(t)}function Ho(n,e){let t=n.hidden?.[e]??0,s=n.kind==="mask"?n.values[e]?"allowed":"blocked":n.whole?String(n.values[e]):q(n.values[e]);return t?`${s} (${sp[t]})`:s}function q(n){if(n===-1/0||n===null)return"-∞";if(n===0)return"0";let e=Math.abs(n);return e>=1e5||e<.001?n.toExponential(4):n.toFixed(4)}function I(n){if(typeof n!="number"||Number.isNaN(n))return"not measured";for(let e=1;e<=5;e++){let t=(100*n).toFixed(e);if(Number(t)>0&&Number(t)<100||n<=0||n>=1)return`${t.replace(/\.0$/,"")} %`}return n>.5?"almost 100 %":"almost 0 %"}function G(n){return Math.round(n).toLocaleString("en")}function Gt(n,e){let t=Math.abs(e);return n.whole||e===0?String(e):t>=1e4||t<.005?e.toExponential(0):e.toFixed(t<9.995?2:t<99.95?1:0)}function Ua(n,e){return n.first+e+(n.axis==="V"?0:1)}function ke(n,e){if(!n.axis)return"";let t=n.names?.names[n.first+e-n.names.first];return t===void 0?String(Ua(n,e)):te(t)}function Ne(n,e,t){if(!e.axis)return"";let s=Ua(e,t);return e.names?`${n} “${ke(e,t)}” (${e.axis} ${s})`:`${e.axis} ${s}`}function _t(n,{first:e,count:t,size:s},o){return t<s?`${n} ${e+o}–${e+t-1+o} of ${s}`:""}function bn(n,e,t){if(n.measureText(e).width<=t+1)return e;let s=e.length-1;for(;s>0&&n.measureText(`${e.slice(0,s)}…`).width>t;)s--;return s>0?`${e.slice(0,s)}…`:""}function wn(n,e){let t=(m,h,u)=>`${m} ${h}${m===1?"":"s"}${u&&` (${u})`}`,s=Array.from(e.values),o=s.filter(Number.isFinite),r=o.reduce((m,h)=>Math.min(m,h),1/0),i=o.reduce((m,h)=>Math.max(m,h),-1/0),a=e.kind==="mask"?0:s.reduce((m,h,u)=>m+ +(h===-1/0||(e.hidden?.[u]??0)>0),0),l=e.kind==="mask"?`${o.filter(Boolean).length} of ${e.values.length} cells allowed`:e.kind==="tokens"?"tokens":o.length?`values from ${q(r)} to ${q(i)}`:"no values",d=`${t(e.rows,"row",e.row.axis)} by ${t(e.columns,"column",e.column.axis)}`;return`${n}: ${d}, ${l}${a?`, ${a} masked`:""}.`}var sp,ja,C=b(()=>{sp=["","causal","padding","both"],ja=["","causal mask","padding","causal mask and padding"]});var Fa={};k(Fa,{claim:()=>Q,free:()=>Y,letLettersAct:()=>Po,lettersAct:()=>ls,nameOf:()=>He,onLetters:()=>zo});function Y(n){let e=n.key.length>1||n.key===" ";return(yn||e)&&_a(n)}function _a(n){if(n.defaultPrevented||n.isComposing||n.ctrlKey||n.altKey||n.metaKey)return!1;let e=n.composedPath().filter(t=>t instanceof Element);return e.some(t=>t.matches("dialog[open], [role=dialog], [role=listbox], [role=menu]"))||e.some(t=>t.matches(op)&&!t.matches(rp))?!1:!(ap.test(n.key)&&e.some(t=>t.matches(ip)))}function Q(n){n.preventDefault(),n.stopPropagation()}function He({key:n,shiftKey:e}){return n.length===1?n.toLowerCase():e?`Shift+${n}`:n}function ls(){return yn}function Po(n){yn=n,X("localStorage",as,n?"on":"off")}function zo(n){Ga.add(n)}var op,rp,ip,ap,as,Ga,yn,ne=b(()=>{C();op="input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox]",rp="[type=checkbox], [type=radio], [type=range], [type=button]",ip="[role=slider], [role=spinbutton], [role=radio], [role=radiogroup], [role=tab], [type=radio], [type=range]",ap=/^(Arrow|Page|Home|End)/,as="playground single-letter shortcuts",Ga=new Set,yn=F("localStorage",as)!=="off";addEventListener("storage",({key:n})=>{if(!(n!==as&&n!==null)){yn=F("localStorage",as)!=="off";for(let e of Ga)e()}});document.addEventListener("keydown",n=>!yn&&/^[rc]$/i.test(n.key)&&_a(n)&&n.stopPropagation(),{capture:!0})});var Ya={};k(Ya,{arrive:()=>Wo,limit:()=>jo});function Wo(n){if(Ka===n)return;Ka=n,vt(),clearInterval(Io);let e=0,t=0;Io=setInterval(()=>{let s=document.querySelector(et)?.getAttribute(Ge)==="notRunning";e=s?e+1:0,(e===cp||++t===dp)&&clearInterval(Io);let{activeElement:o}=document;if(o!==document.body&&!o?.matches(gn))return;let r=s?document.querySelector(`${j} h1`):null;r?.setAttribute("tabindex","-1"),r?.focus({preventScroll:!0})},lp)}function bp({target:n}){if(!(n instanceof HTMLInputElement))return;let{type:e,step:t}=n;e==="number"&&!n.closest(gp)?n.inputMode=/^\d+$/.test(t)?"numeric":"decimal":n.closest("[class*=st-key-decimal-]")?n.inputMode="decimal":n.closest("[class*=st-key-digits-]")&&(n.inputMode="numeric")}function jo(n){Bo=Object.fromEntries(Object.entries(n).map(([e,t])=>[e.replace(/[^\w-]/g,"-"),t]))}function wp(){let n=document.querySelector(et)?.getAttribute(rs),e=Xa&&n!=="CONNECTED";if(Xa||=n==="CONNECTED",e?cs||(cs=setTimeout(()=>y(Ja,"Connection lost. Reconnecting …"),mp)):(clearTimeout(cs),cs=0,y(Ja,"")),e)for(let t of document.querySelectorAll('section[role="dialog"]'))yp(t)}function yp(n){let e=n.querySelector("h2");if(e?.textContent!==pp)return;e.textContent="Connection lost";let t=o=>[...o.childNodes].some(({nodeType:r})=>r===Node.TEXT_NODE);[...n.querySelectorAll("*")].filter(o=>o!==e&&t(o)).forEach((o,r)=>y(o,r?"":up))}var lp,cp,dp,hp,mp,pp,up,Ka,Io,fp,gp,Bo,Do,Va,Ja,cs,Xa,Uo=b(()=>{No();ne();J();C();lp=100,cp=10,dp=100,hp=8e3,mp=1500,pp="Connection error",up="The server doesn't answer. If you started it yourself, start it again: streamlit run app.py. This page goes on as soon as it is back.",Ka=location.pathname.split("/").pop(),Io=0;fp={PageDown:.9,PageUp:-.9};addEventListener("keydown",n=>{let e=fp[n.key];if(!e||n.shiftKey||document.activeElement!==document.body||!Y(n)||document.documentElement.hasAttribute("data-present"))return;let t=document.querySelector(j);t?.scrollBy({top:e*t.clientHeight})});gp=`[class*=st-key-signed-], ${U("change-factor")}, ${U("change-value")}`;for(let n of["pointerdown","focusin"])addEventListener(n,bp,{capture:!0});Bo={},Do=tt(),Va=0;addEventListener("input",({target:n})=>{if(!(n instanceof HTMLInputElement||n instanceof HTMLTextAreaElement))return;let[,e=""]=/st-key-([\w-]+)/.exec(n.closest("[class*=st-key-]")?.className??"")??[],{length:t}=n.value,s=Bo[e]??Bo[""];if(clearTimeout(Va),!(t>s))return y(Do,"");let o=r=>r.toLocaleString("en");y(Do,`The text is too long: ${o(t)} characters. Use ${o(s)} or fewer.`),Va=setTimeout(()=>y(Do,""),hp)},{capture:!0});Ja=tt(),cs=0,Xa=!1;new MutationObserver(wp).observe(document.body,{subtree:!0,attributeFilter:[rs],childList:!0})});var er={};k(er,{FULL:()=>el,LONG_ADDRESS:()=>tl,LONG_PLAN:()=>Go,MAX_TITLE:()=>xn,MAX_VIEWS:()=>ds,add:()=>kn,change:()=>ot,inFragment:()=>hs,linkOf:()=>Jo,ofLink:()=>Xo,onOtherTab:()=>Vo,rename:()=>Ko,same:()=>Yo,undo:()=>Fo,undoable:()=>_o,views:()=>ye});function ye(n){return Qo(sl(Fe(st)),n)}function _o(){return Fe(Ft)!==""&&Fe(Ft)!==Fe(st)}function Fo(){Zo(Fe(Ft)||"[]",Fe(st)||"[]")}function ot(n,e){Zo(JSON.stringify(e(ye(n))),Fe(st)||"[]")}function Ko(n,e,t){let s=o=>JSON.stringify(Qo(sl(Fe(o)),n).map(r=>r.id===e?{...r,title:t}:r));Zo(s(st),Fe(Ft)&&s(Ft))}function kn(n,e,t){let s=nl(t,n);return s===null?tl:ye(n).length>=ds?el:(ot(n,o=>[...o,{id:ol(),title:e.slice(0,xn),at:s}]),"")}function Vo(n){addEventListener("storage",({key:e})=>(e===st||e===null)&&n())}async function Jo(n){let e=JSON.stringify(n.map(({title:i,at:a})=>[i,a])),t=new Blob([e]).stream().pipeThrough(new CompressionStream("deflate-raw")),s=new Uint8Array(await new Response(t).arrayBuffer()),o=btoa(Array.from(s,i=>String.fromCharCode(i)).join("")),r=qo+o.replaceAll("+","-").replaceAll("/","_").replaceAll("=","");return r.length>Qa?null:new URL(r,new URL("./",document.baseURI)).href}function hs(n){return n.startsWith(qo)?n.slice(qo.length):""}async function Xo(n,e){try{if(n.length>Qa)return null;let t=Uint8Array.from(atob(n.replaceAll("-","+").replaceAll("_","/")),a=>a.charCodeAt(0)),s=new Blob([t]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream),o="";for(let a=s.getReader();;){let{done:l,value:d}=await a.read();if(l)break;if(o+=d,o.length>kp)return null}let r=JSON.parse(o);if(!Array.isArray(r))return null;let i=Qo(r.map(a=>({id:ol(),title:a?.[0],at:a?.[1]})),e);return{plan:i,left:r.length-i.length}}catch{return null}}function Yo(n,e){return n.length===e.length&&n.every(({title:t,at:s},o)=>t===e[o].title&&s===e[o].at)}function Qo(n,e){return Array.isArray(n)?n.flatMap(t=>{let s=typeof t?.at=="string"?nl(t.at,e):null;return s===null||typeof t.id!="string"||typeof t.title!="string"?[]:[{id:t.id,title:t.title.slice(0,xn),at:s}]}).slice(0,ds):[]}function nl(n,e){let t=new URL("./",document.baseURI),s=URL.canParse(n,t.href)&&new URL(n,t.href);if(!s||s.origin!==t.origin||!s.pathname.startsWith(t.pathname)||n.length>xp)return null;let o=s.pathname.slice(t.pathname.length);return e.includes(o)?`${o||"./"}${s.search}`:null}function sl(n){try{return JSON.parse(n)}catch{return null}}function Fe(n){return Za[n]||(F("localStorage",n)??"")}function Zo(n,e){for(let[t,s]of[[st,n],[Ft,e]])X("localStorage",t,s),Za[t]=F("localStorage",t)===s?"":s}function ol(){return crypto.getRandomValues(new Uint32Array(2)).join("-")}var ds,xn,xp,Qa,kp,qo,st,Ft,Za,el,tl,Go,ms=b(()=>{C();ds=40,xn=100,xp=2e3,Qa=8e3,kp=2e5,qo="#plan=",st="playground lesson plan",Ft=`${st} before`,Za={},el=`A lesson plan holds ${ds} views at most. Delete one first.`,tl="The link to this view is too long for a lesson plan.",Go="This plan is too long for a link. Delete some of its views."});var rl={};k(rl,{PlanPanel:()=>vn});function Tp(n,e,t){let s=n.findIndex(r=>r.id===e);if(s<0||!n[s+t])return n;let o=[...n];return[o[s],o[s+t]]=[o[s+t],o[s]],o}var vp,vn,tr=b(()=>{ms();C();vp="No views yet. “Add to plan” is in Share on every page; the key A does the same, also while you present.",vn=class{around;rows=new Map;list=c("ol","views");note=c("p","note",{role:"status"});present=x("main","Present",()=>this.start(this.plan[0]));share=x("","Share plan",()=>this.toLink());undo=x("","Undo",()=>this.act(Fo,"Undone."));clear=x("","Clear",()=>this.act(()=>ot(this.pages,()=>[]),"The plan is empty now."));dialog;constructor(e){this.around=e;let t=x("close","✕",()=>this.dialog.close(),{ariaLabel:"Close",title:"Close (Esc)"}),s=x("","Add this view",()=>this.addHere());this.dialog=c("dialog","plan",c("header","",c("h2","","Lesson plan"),t),this.note,this.list,c("div","wrap",this.present,this.share,s,this.undo,this.clear),{ariaLabel:"Lesson plan"}),this.dialog.addEventListener("click",({target:o,clientX:r,clientY:i})=>{let{left:a,right:l,top:d,bottom:m}=this.dialog.getBoundingClientRect(),h=r>=a&&r<=l&&i>=d&&i<=m;o===this.dialog&&!h&&this.dialog.close()}),this.dialog.addEventListener("keydown",o=>o.stopPropagation()),Vo(()=>this.dialog.open&&this.draw())}get pages(){return this.around.pages()}get plan(){return ye(this.pages)}open(e=""){this.draw(e),this.dialog.open||this.dialog.showModal()}draw(e=""){let{plan:t}=this,s=t.map((o,r)=>{let i=this.rows.get(o.id)??this.row(o);return this.rows.set(o.id,i),i.name.ariaLabel=`Name of view ${r+1}`,i.name.matches(":focus")||(i.name.value=o.title),i.node});de(this.list,s),y(this.note,e||(t.length?"":vp));for(let o of[this.present,this.share,this.clear])o.disabled=!t.length;this.undo.hidden=!_o()}row({id:e,title:t}){let s=a=>this.act(()=>ot(this.pages,l=>Tp(l,e,a))),o=c("input","",{type:"text",value:t,maxLength:xn}),r=(a,l,d)=>x("",a,d,{ariaLabel:`${l}: ${t}`,title:l}),i=c("li","",o,r("▶","Present from here",()=>this.start(this.plan.find(a=>a.id===e))),r("↑","Move up",()=>s(-1)),r("↓","Move down",()=>s(1)),r("✕","Delete",()=>this.act(()=>ot(this.pages,a=>a.filter(l=>l.id!==e)),"Deleted.")));return o.addEventListener("input",()=>Ko(this.pages,e,o.value)),{node:i,name:o}}act(e,t=""){e(),this.draw(t);let{activeElement:s}=document;(!this.dialog.contains(s)||s===this.dialog)&&this.dialog.querySelector(".close")?.focus()}addHere(){let{title:e,address:t}=this.around.here(),s=kn(this.pages,e,t);this.draw(s||`Added: ${e}`)}start(e){if(!e)return this.draw();this.dialog.close(),this.around.present(e)}async toLink(){let e=await Jo(this.plan);if(e===null)return this.draw(Go);this.dialog.close(),this.around.share(e)}}});var il={};k(il,{themes:()=>nr});function nr(){let n=Object.entries(Ep).map(([s,o])=>new Option(o,s)),e=c("select","small-button",...n,{ariaLabel:"Theme",title:"Choose a light or dark theme",value:Lp()});e.addEventListener("change",()=>Sp(e.value));let t=c("span","symbol",{ariaHidden:"true"});return t.innerHTML='<svg viewBox="0 0 14 14"><circle cx="7" cy="7" r="6"/><path d="M7 1a6 6 0 0 1 0 12z" fill="currentColor"/></svg>',c("span","theme",e,t)}var Ep,Lp,Sp,sr=b(()=>{C();Ep={"":"System theme",light:"Light theme",dark:"Dark theme"},{chosen:Lp,choose:Sp}=window.playgroundTheme});var al={};k(al,{Acts:()=>V});var V,Ke=b(()=>{V=class{pending=[];#e=0;#t="";#s=null;#r=0;#n=0;adopt({session:e,heard:t},s){this.#s=s;let o=this.pending.length;this.#t!==e&&(this.pending=[]),this.#t=e,this.pending=this.pending.filter(([r])=>r>t),this.#e=Math.max(this.#e,t),this.pending.length<o&&(clearTimeout(this.#n),this.#n=0),this.#o()}release(){this.#s=null}add(e,t="",s=null){this.pending.push([++this.#e,e,t,s]),this.#o()}#o(){!this.#s||this.#n||!this.pending.length||(this.#n=setTimeout(()=>{this.#n=0,this.#o()},3e3),this.#s({session:this.#t,message:++this.#r,acts:[...this.pending]}))}}});var A,B=b(()=>{A=`/* What the sheets of components share. Rules in :where() give way to any other. */
:host {
  color: var(--st-text-color);
  font-family: var(--st-font);
  font-size: max(0.875rem, var(--least, 0px));
  font-variant-numeric: tabular-nums;
  line-height: 1.4;
}
[hidden] {
  display: none !important;
}
/* Formulas in the font of those that Streamlit draws. Operators that stretch or grow keep one that has a table for it. */
:where(mn, mtext, mi, mo[stretchy=false]) {
  font-family: KaTeX_Main, math;
}
:where(mi:not([mathvariant])) {
  font-family: KaTeX_Math, KaTeX_Main, math;
  font-style: italic;
  text-transform: none;
}
:where(figure, h2, h3, ol, ul, dl, dd, fieldset, legend) {
  list-style: none;
  margin: 0;
  padding: 0;
}
.box {
  container-type: inline-size;
}
/* What stands beside each other where there is room. */
.wrap {
  display: flex;
  flex-wrap: wrap;
}
.soft,
small {
  opacity: 0.78;
}
.unused {
  visibility: hidden;
}
/* For those who listen alone. */
.unseen {
  clip-path: inset(50%);
  height: 1px;
  overflow: hidden;
  position: absolute;
  white-space: nowrap;
  width: 1px;
}
:where(table) {
  border-collapse: collapse;
}
:where(th) {
  font-weight: 600;
  text-align: left;
}
/* A text that ends where its room does. */
.cut {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
/* The letter of what plays a part in attention. */
.letter {
  border-radius: 50%;
  color: #fff;
  display: inline-grid;
  flex: none;
  font-weight: 700;
  height: 1.5em;
  place-items: center;
  width: 1.5em;
}
:where(button, select, summary) {
  background: none;
  border: 0;
  border-radius: 0.35rem;
  color: inherit;
  cursor: pointer;
  font: inherit;
  padding: 0.15rem 0.35rem;
}
:where(button:enabled:hover, summary:hover) {
  background: color-mix(in srgb, currentColor 10%, transparent);
}
:where(button:disabled) {
  cursor: default;
  opacity: 0.45;
}
/* A field to type into, and a button beside it, in the size of those that Streamlit draws. */
:where(textarea, input:not([type="checkbox"], [type="range"]), .large :is(button, select)) {
  background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color);
  border-radius: 0.5rem;
  box-sizing: border-box;
  color: inherit;
  font: inherit;
  min-height: 2.3rem;
  padding: 0.2rem 0.7rem;
}
@media (max-width: 640px) {
  :where(textarea, select, input:not([type="checkbox"], [type="range"])) {
    font-size: 16px; /* below that, a phone enlarges the page when a field gets the focus */
  }
}
:where(.large button:not(:hover)) {
  background: none;
}
:where(.small-button, .framed :is(button, select, summary)) {
  border: 1px solid var(--st-border-color);
  border-radius: 0.4rem;
  font-size: max(0.8rem, var(--least, 0px));
  min-height: 1.75rem;
  padding: 0.1rem 0.55rem;
}
:where(.menu, dialog) {
  background: var(--st-background-color);
  border: 1px solid var(--st-border-color);
  border-radius: 0.5rem;
  box-shadow: 0 6px 24px rgb(0 0 0 / 0.25);
  box-sizing: border-box;
  color: inherit;
}
:where(input) {
  accent-color: var(--st-primary-color);
}
:where(button, input, select, summary, textarea, [tabindex]):focus-visible {
  outline: 2px solid var(--st-primary-color);
  outline-offset: 1px;
}
/* In forced colours, pictures keep their own, and what is chosen has a frame in the system's colour. */
@media (forced-colors: active) {
  :is(canvas, .bar, .bar i, .swatch, .matrix td, .item svg, .letter, .dots i, .mark) {
    forced-color-adjust: none;
  }
  :is([aria-current], [aria-checked="true"], [aria-selected="true"], [aria-pressed="true"], .line.lit) {
    outline: 2px solid Highlight;
    outline-offset: -2px;
  }
}
/* On paper: no controls, nothing cut, and nothing torn apart. */
@media print {
  :is(.actions, .tour, .charts .bar, .small-button) {
    display: none !important;
  }
  /* Drawn for a screen's width. */
  :is(.tensors, .maps) {
    width: calc(var(--drawn) * 1px);
    zoom: min(1, 690 / var(--drawn));
  }
  /* Drawn in the colours of a dark screen. */
  :is(canvas, .matrix td, .item .bar, .swatch, .item svg) {
    filter: var(--paper, none);
  }
  .charts .grid {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  .charts .panel {
    grid-column: span 1;
  }
  .charts [data-kind="attention"] {
    grid-column: 1 / -1;
  }
  .charts .picture canvas {
    height: auto !important;
    max-width: 100%;
  }
  .charts :is(.answers, .list, .heads),
  .tensors .expression,
  figure.statement .box {
    height: auto;
    max-height: none;
    overflow: visible;
  }
  .charts .example .toks {
    flex-wrap: wrap;
  }
  .formula-rows .row {
    gap: 0.5rem;
    grid-template-columns: minmax(0, 5fr) minmax(0, 6fr) minmax(0, 4fr);
  }
  .formula-rows .formula {
    font-size: 1em;
    overflow: visible;
  }
  .formula-rows .shape {
    white-space: normal;
  }
  :is(figure, .row, .tile, .panel, tr) {
    break-inside: avoid;
  }
  .announcement {
    position: static;
  }
}
`});var cl,ll=b(()=>{cl=`/* The map's components: the way to an operation, the outline, the window of keys, the statement in its function. */
:host {
  font-size: max(0.875rem, var(--least, 0px));
}
.soft {
  font-weight: 400;
}
.small-button {
  align-items: center;
  display: inline-flex;
  flex: none;
  gap: 0.4rem;
  white-space: nowrap;
}
.tools {
  display: flex;
  gap: 0.4rem;
}
.tools .share {
  justify-content: center;
  width: 5rem;
  visibility: var(--tools-share, visible); /* it keeps its room, so nothing else moves */
}
.theme {
  display: flex;
  position: relative;
}
.theme .symbol {
  display: none;
  inset: 0;
  pointer-events: none;
  position: absolute;
}
select.small-button {
  background: var(--st-background-color); /* or its list is white on white on a dark page */
  min-width: 0;
  text-overflow: ellipsis;
}
.small-button svg,
.symbol svg {
  fill: none;
  height: 0.85rem;
  stroke: currentColor;
  stroke-linecap: round;
  stroke-width: 1.4;
}

/* Where the menu needs the width, tools are symbols. Their words remain for those who listen. */
@media (min-width: 641px) and (max-width: 1120px) {
  .words {
    clip-path: inset(50%);
    position: absolute;
  }
  .theme .symbol {
    display: grid;
    place-items: center;
  }
  .tools .share {
    width: 2.2rem;
  }
  .theme select {
    appearance: none;
    text-indent: 3rem;
    width: 2.2rem;
  }
  .theme option {
    text-indent: 0;
  }
}

/* ---- the way */
.tour {
  gap: 0.35rem;
  margin-bottom: 0.3rem;
}
.tour-sentence {
  margin: 0 0 0.3rem;
  min-height: 1.5em;
}
.stop {
  border: 1px solid var(--st-border-color);
  border-radius: 1rem;
  padding: 0.1rem 0.65rem;
}
.stop.end {
  border-color: transparent;
  text-decoration: underline;
}
.stop[aria-current] {
  border-color: var(--st-primary-color);
  font-weight: 650;
}
.crumbs ol {
  margin-left: -0.4rem;
  min-height: 1.85rem;
}
.crumbs li {
  align-items: center;
  display: flex;
}
.crumbs li + li::before {
  content: "›";
  opacity: 0.7;
}
.crumbs li > button {
  padding: 0.2rem 0.4rem;
  text-decoration: underline dotted color-mix(in srgb, currentColor 45%, transparent);
  text-underline-offset: 0.22em;
}
.crumbs .last {
  font-weight: 650;
  text-decoration: none;
}
.crumbs .last::after {
  content: " ▾";
  opacity: 0.7;
}
.menu {
  inset: auto;
  margin: 0;
  max-height: calc(100dvh - 16px);
  overflow: auto;
  padding: 0.3rem;
  position: fixed;
}
.menu button {
  display: block;
  padding: 0.25rem 0.7rem;
  text-align: left;
  width: 100%;
}
.menu [aria-current] {
  background: color-mix(in srgb, var(--st-primary-color) 16%, transparent);
  font-weight: 650;
}

/* ---- the outline */
.outline {
  border: 1px solid var(--st-border-color);
  border-radius: 0.5rem;
  overflow: hidden;
}
:is(.outline, .keys) header {
  align-items: center;
  display: flex;
  gap: 0.5rem;
  justify-content: space-between;
}
.outline header {
  background: var(--st-secondary-background-color);
  padding: 0.25rem 0.4rem;
}
.outline .title {
  flex: 1;
  font-weight: 650;
  text-align: left;
}
.outline .title::before,
.chevron::before {
  content: "▸";
  display: inline-block;
  opacity: 0.75;
  text-align: center;
  width: 1.1rem;
}
.outline .title[aria-expanded="true"]::before,
[aria-expanded="true"] > .row .chevron::before {
  rotate: 90deg;
}
.outline.shut :is(.tree, .small-button) {
  display: none;
}
.tree {
  height: var(--outline-height, 18rem);
  overflow: auto;
  overscroll-behavior: contain;
  padding: 0.3rem 0;
  scrollbar-gutter: stable;
}
.tree li {
  outline: none;
}
.tree [aria-expanded="false"] > ul {
  display: none;
}
.row {
  align-items: center;
  border-left: 3px solid transparent;
  cursor: pointer;
  display: flex;
  gap: 0.2rem;
  min-height: 1.6rem;
  padding-left: calc(0.35rem + 0.9rem * var(--depth));
  padding-right: 0.5rem;
}
.row:hover {
  background: color-mix(in srgb, currentColor 8%, transparent);
}
.tree li:focus-visible > .row {
  outline: 2px solid var(--st-primary-color);
  outline-offset: -2px;
}
.chevron {
  flex: none;
  min-width: 1.1rem;
}
:not([aria-expanded]) > .row .chevron::before {
  content: "";
}
[aria-expanded] > .row .label {
  font-weight: 600;
}
.within > .row {
  border-left-color: color-mix(in srgb, var(--st-primary-color) 45%, transparent);
}
.tree [aria-current] > .row {
  background: color-mix(in srgb, var(--st-primary-color) 16%, transparent);
  border-left-color: var(--st-primary-color);
  font-weight: 650;
}
.tree [aria-disabled] > .row {
  cursor: default;
  opacity: 0.55;
}
.letter {
  font-size: max(0.7rem, var(--least, 0px));
  margin-left: 0.25rem;
}

/* ---- the window of keys */
dialog.keys {
  max-height: calc(100dvh - 2rem);
  max-width: min(66rem, 100vw - 1.5rem);
  overflow: auto;
  padding: 0.9rem 1.2rem 1.1rem;
  visibility: visible; /* also where its button is not */
  width: max-content;
}
dialog.keys::backdrop {
  background: rgb(0 0 0 / 0.45);
}
.keys h2 {
  font-size: 1.15rem;
}
.keys h3 {
  font-size: max(0.875rem, var(--least, 0px));
  margin: 0.5rem 0 0.3rem;
  opacity: 0.8;
}
.keys .close {
  font-size: 1.3rem;
  line-height: 1;
  min-height: 2rem;
  min-width: 2rem;
}
.keys .letters {
  align-items: baseline;
  gap: 0 0.75rem;
  margin: 0.4rem 0 0.2rem;
}
.letters label {
  cursor: pointer;
  padding: 0.3rem 0;
}
.letters input {
  margin: 0 0.45rem 0 0;
}
.columns {
  display: grid;
  gap: 0 2.2rem;
  grid-auto-columns: auto;
  grid-auto-flow: column;
}
.keys dl {
  align-items: center;
  display: grid;
  gap: 0.45rem 0.8rem;
  grid-template-columns: max-content 1fr;
}
.keys dt {
  gap: 0.25rem;
}
kbd {
  background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color);
  border-bottom-width: 2px;
  border-radius: 0.3rem;
  font: 600 max(0.8rem, var(--least, 0px))/1.4 var(--st-font);
  min-width: 1.1rem;
  padding: 0 0.35rem;
  text-align: center;
}

/* ---- the statement */
.statement {
  --lines: 9;
}
.statement .box {
  --line: 1.4rem;
  background: var(--st-secondary-background-color);
  border-radius: 0.5rem;
  height: calc(var(--lines) * var(--line));
  overflow: auto;
  overscroll-behavior: contain;
  position: relative;
}
.statement .box.whole {
  height: auto;
  min-height: calc(var(--lines) * var(--line));
}
.lines {
  display: block;
  font: max(0.8rem, var(--least, 0px)) / var(--line) var(--st-code-font, monospace);
}
.line {
  border-left: 3px solid transparent;
  display: block;
  overflow-wrap: anywhere;
  padding: 0 0.6rem 0 calc((5.6 + var(--in)) * 1ch);
  position: relative;
  text-indent: calc(var(--in) * -1ch);
  white-space: pre-wrap;
}
.line::before {
  content: attr(data-number);
  left: 0;
  opacity: 0.7;
  position: absolute;
  text-align: right;
  text-indent: 0;
  user-select: none;
  width: 4.4ch;
}
.line.lit {
  background: color-mix(in srgb, var(--st-primary-color) 14%, transparent);
  border-left-color: var(--st-primary-color);
}
.line.lit::before {
  font-weight: 700;
  opacity: 1;
}
.line.begin::before {
  content: "▸" attr(data-number);
}
.line i {
  font-style: normal;
}
/* On the page's second colour and on the band, at least 4.5 to 1; a test counts. */
.keyword {
  color: light-dark(#8a2a8c, #e09bea);
}
.string {
  color: light-dark(#1f6a35, #8fd6a0);
}
.number {
  color: light-dark(#9a3d00, #f0a873);
}
.comment {
  color: light-dark(#565d70, #a3abc0);
}
.defined {
  color: light-dark(#1d4fa8, #8fbcff);
}
.self {
  color: light-dark(#7a4a1e, #d9b48a);
}
.note {
  border-left: 3px solid var(--st-primary-color);
  font: max(0.8rem, var(--least, 0px)) / 1.4 var(--st-font, sans-serif);
  margin: 0.2rem 0;
  padding: 0.1rem 0.6rem;
}
.note summary {
  cursor: pointer;
}
figcaption {
  align-items: center;
  display: flex;
  font-size: max(0.8rem, var(--least, 0px));
  gap: 0.2rem 0.8rem;
  min-height: 2.1rem;
}
figcaption .where {
  font-family: var(--st-code-font, monospace);
  min-width: 0;
  overflow-wrap: anywhere;
}
figcaption button {
  flex: none;
}
figcaption .name {
  flex: 1;
  min-width: 0;
  opacity: 0.78;
}

@media (max-width: 640px) {
  .small-button[aria-haspopup="dialog"] {
    display: none; /* a phone has no keyboard; where there is one, "?" opens the window */
  }
  .crumbs ol,
  .tour {
    flex-wrap: nowrap;
    overflow: auto hidden;
    scrollbar-width: none;
    white-space: nowrap;
  }
  .crumbs ol {
    font-size: max(0.82rem, var(--least, 0px));
  }
  .crumbs li > button {
    padding-inline: 0.25rem;
  }
  .stop {
    flex: none;
  }
  .columns {
    grid-auto-flow: row;
  }
  .row {
    min-height: 2.1rem;
  }
  .tree {
    height: var(--outline-height, 50dvh);
  }
}

/* A low window, as on a projector: the numbers below have to be in sight too. */
@media (max-height: 800px) {
  .statement {
    --lines: 5;
  }
}
`});var hl={};k(hl,{calm:()=>he,dress:()=>Pe,mapSheets:()=>ve});function $p(n){let e=dl.get(n);return e||(e=new CSSStyleSheet,e.replaceSync(n),dl.set(n,e)),e}function Pe(n,e){let t=n.getRootNode(),s=e.map($p).filter(o=>!t.adoptedStyleSheets.includes(o));s.length&&(t.adoptedStyleSheets=[...t.adoptedStyleSheets,...s])}function he(){return matchMedia("(prefers-reduced-motion: reduce)").matches}var dl,ve,ie=b(()=>{B();ll();dl=new Map;ve=[A,cl]});var ml={};k(ml,{Shown:()=>se,asked:()=>ae,curve:()=>rt,lit:()=>me,opener:()=>ps,output:()=>Te,siblings:()=>Kt,slide:()=>pe,walk:()=>K});var se,me,K,Kt,pe,ps,Te,rt,ae,oe=b(()=>{se=class{value=null;#e=null;#t=new Set;watch(e){return this.#t.add(e),e(this.value),()=>{this.#t.delete(e)}}set(e,t){if(!t&&this.#e!==e)return!1;this.#e=t&&e,this.value=t;for(let s of this.#t)s(t);return!0}},me=new se,K=new se,Kt=new se,pe=new se,ps=new se,Te=new se,rt=new se,ae=new se});var pl={};k(pl,{component:()=>M});function M(n,e,t){let s=new WeakMap;return o=>{let r=o.parentElement,i=s.get(r)??{drawn:(Pe(r,n),e(r)),calls:0};s.set(r,i);let a=++i.calls;return t(i.drawn,o),()=>setTimeout(()=>{i.calls===a&&(i.drawn.close(),s.delete(r))},Ap)}}var Ap,z=b(()=>{ie();Ap=500});var zl={};k(zl,{default:()=>qp,listen:()=>Gp});function Gp({data:n,setStateValue:e}){return us=n.link,bs.adopt(n,t=>e("acts",t)),()=>{us===n.link&&(us={},bs.release())}}function Et(){return Vt?.node.isConnected?Vt.data:null}function Sn(){return(Et()?.slides??[]).filter(({parts:n,panels:e})=>{let t=document.querySelector(U(n.at(-1)??"")),s=t&&e.length?[...t.querySelectorAll("*")].find(o=>o.shadowRoot)?.shadowRoot:null;return t&&(!e.length||e.some(o=>s?.querySelector(`[data-panel="${o}"]`)))})}function at(){if(O===null)return null;let n=Sn();return n.find(({name:e})=>e===O)??(O===kl?n.at(-1):n[0])??null}function bl(n){if(Es()>=0)return Nl(n);if(_p(n))return;let e=Sn(),t=at()?.name,s=e.findIndex(({name:o})=>o===t)+n;e[s]?Xt(e[s].name):ir(n,n>0?ks:kl)}function _p(n){let e=document.querySelector(j);if(!e||!at()||e.scrollHeight<(1+Dp)*e.clientHeight)return!1;let t=e.scrollTop;return e.scrollBy({top:n*.9*e.clientHeight,behavior:"instant"}),Math.abs(e.scrollTop-t)>8}function Xt(n){Ln="",O=n,history.replaceState(history.state,"",location.href),vs()}function vs(){let n=Sn();if(n.some(r=>r.name===Ln))return Xt(Ln);let e=at(),t=e?.name??null;O!==null!==Z.hasAttribute("data-present")&&(O===null?Kp:Sl)(),t!==(Z.dataset.slide??null)&&(t===null?delete Z.dataset.slide:Z.dataset.slide=t,Z.dataset.parts=(e?.parts??[]).join(" "),P.rules.textContent=e?Fp(e):"",document.querySelector(j)?.scrollTo(0,0),P.announcement.textContent=[e?.title,gs()].filter(Boolean).join(", "),cr(),pe.set(Z,e)),Ml();let s=n.length>1&&!gs()?n.map(r=>r.name===t?"●":"○").join(" "):"";P.dots.textContent!==s&&(P.dots.textContent=s);let o=K.value?.host.isConnected?K.value.crumbs.map(([r])=>r).join(" › "):"";y(P.where,[gs(),document.querySelector(Hp)?.textContent,o].filter(Boolean).join(" · "))}function Fp({parts:n}){let e=`:is(${n.map(U).join(", ")})`,t=`[data-present]:has(${e}) ${un}`;return`
    ${t} ${fn}:not(${e}, :has(${e}), ${e} *) {
      height: 0 !important; inset-inline: 0; min-height: 0; overflow: hidden; position: absolute; visibility: hidden;
    }
    ${t} ${os}:has(${e}) { flex: 1 1 100%; max-width: none; min-width: 100%; }
    ${t} ${$o}:has(${e}) { min-height: 0; }`}function Sl(){Z.setAttribute("data-present",""),document.activeElement?.blur(),cr(),pr(),P.tell(Tl),$l(),Ll=setInterval(vs,400)}function Kp(){dr(""),Z.removeAttribute("data-present"),Z.style.removeProperty("--present-scale"),Z.style.removeProperty("--least"),clearInterval(Ll),Tn?.release(),P.tell(""),Ve(null),pr(),document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function lr(n){if(n)hr(n);else{if(O!==null||!Et()?.slides.length)return;Xt(ks)}document.fullscreenElement||Z.requestFullscreen?.().then(()=>O===null?document.exitFullscreen():void 0).catch(()=>{})}function ys(){O!==null&&Xt(null)}function rr(){return Math.max(1,Math.min(innerWidth/1024,innerHeight/576))}function cr(){O!==null&&(Cl(rr()),Ml())}function Cl(n){or=n,Z.style.setProperty("--present-scale",n.toFixed(3)),Z.style.setProperty("--least",`${Wp*(n<Bp*rr()?n:rr())}px`)}function Ml(){let n=document.querySelector(j);if(!(!n||!at()?.shrinks))for(;n.scrollHeight>n.clientHeight+1&&or>ul;)Cl(Math.max(ul,or*.96))}async function $l(){if(!(O===null||document.hidden||Tn))try{let n=await navigator.wakeLock.request("screen");n.addEventListener("release",()=>Tn===n&&(Tn=null)),Tn=n,O===null&&n.release()}catch{O!==null&&P.tell(`${Tl} · This browser can turn the screen off`)}}function Vp(n){if(n==null)return n;let e=new URL(n,location.href);return e.searchParams.get(it)===O?n:(O===null?e.searchParams.delete(it):e.searchParams.set(it,O),e.href)}function Al(){let n=new URL(location.href);n.searchParams.delete(it);for(let[e,t]of Object.entries(us))n.searchParams.set(e,t);return n.href}function Xp(){let n=at(),e=n&&document.querySelector(`${U(n.parts.at(-1)??"")} ${Ao}`);if(!n||!e)return!1;let t=Et()?.slides??[];return Ln=t[t.indexOf(n)+1]?.name??"",e.click(),!0}function Yp(n){let e=K.value?.host.isConnected?K.value:null;return!!(n==="next"?e?.last:e?.first)}function ir(n,e=ks){let t=Et(),s=t?.pages[t.pages.indexOf(t.page)+n];if(s===void 0)return P.tell(n>0?"This is the last slide of the last page.":"This is the first slide.");O=e,[...document.querySelectorAll(gn)].find(i=>new URL(i.href).pathname.split("/").pop()===s)?.click()}function Ee(){return Et()?.pages??[]}function Rl(){let n=new URL(Al()),e=at()?.name;return e!==void 0&&n.searchParams.set(it,e),n.href}function Ol(){let n=K.value?.host.isConnected?K.value.crumbs.slice(-2).map(([s])=>s).join(" › "):"",e=document.querySelector(Np)?.textContent,t=Sn().length>1?at()?.title:"";return[Et()?.title,n,e,t].filter(Boolean).join(": ")}function Ts(){let n=Ol(),t=kn(Ee(),n,Rl())||`Added to the lesson plan as view ${ye(Ee()).length}: ${n}`;return P.code.open||(O!==null?P.tell(t):y(fl,t),clearTimeout(gl),gl=setTimeout(()=>y(fl,""),vl)),t}function dr(n){ws=n,X("sessionStorage",El,n)}function Es(){return ws?ye(Ee()).findIndex(({id:n})=>n===ws):-1}function gs(){let n=Es();return n<0?"":`${n+1} of ${ye(Ee()).length}`}function Nl(n){let e=ye(Ee())[Es()+n];e?hr(e):P.tell(n>0?"This is the last view of the lesson plan.":"This is the first view of the lesson plan.")}function hr(n){let e=new URL(n.at,document.baseURI),t=e.searchParams.get(it)??ks,s=o=>(o.searchParams.delete(it),o.searchParams.sort(),o.href);if(dr(n.id),Ln="",O=t,s(new URL(e))===s(new URL(location.href)))return Xt(t);history.pushState(history.state,"",e.href),dispatchEvent(new PopStateEvent("popstate",{state:history.state})),vs()}async function Hl(){if(!fs||!Ee().length)return;let n=fs;fs="",history.replaceState(history.state,"",location.pathname+location.search);let e=await Xo(n,Ee());if(!e?.plan.length)return Jt.open("This link has no lesson plan that can be read. Ask for the link again.");let t=ye(Ee()),s=[e.left&&`${e.left} of its views lead to no page of this app and are left out.`];Yo(t,e.plan)||(ot(Ee(),()=>e.plan),s.unshift("This plan came with the link."),t.length&&s.push("Undo brings your own plan back.")),Jt.open(s.filter(Boolean).join(" "))}function ar(n){document.body.dispatchEvent(new KeyboardEvent("keydown",{key:n,bubbles:!0,cancelable:!0,composed:!0}))}function Qp(n){return n instanceof Element&&!n.matches("html, body")&&(n.matches("input, textarea, [role=slider], .playground-presenter")||n.scrollWidth>n.clientWidth+1&&["auto","scroll"].includes(getComputedStyle(n).overflowX))}function Pl(){let n=at()?.name,e=(r,i,a=!1)=>x("",r,()=>(P.menu.hidePopover(),i()),{ariaCurrent:a?"true":null}),t=(r,...i)=>c("section","",c("h2","",r),...i),s=ye(Ee()),o=gs();P.menu.replaceChildren(t("Slides of this page",...Sn().map(({name:r,title:i})=>e(i,()=>Xt(r),r===n))),t(`Lesson plan${o&&`: ${o}`}`,...s.map((r,i)=>e(`${i+1} ${r.title}`,()=>hr(r),r.id===ws)),e("Add this slide to the plan",Ts),e("Edit the plan",()=>Jt.open()),...o?[e("Leave the plan",()=>dr(""))]:[])),P.menu.togglePopover(),(P.menu.querySelector("[aria-current]")??P.menu.querySelector("button"))?.focus()}function Ve(n,e=""){if(n==="code"){P.encode(e||Al()),P.code.ariaLabel=e?"Share: a link that carries the lesson plan":"Share: a link to what this page shows",P.toPlan.hidden=!!e;let s=/^(localhost|127\.|\[::1\])/.test(location.hostname);P.hint.textContent=s?"This link works on this computer only. For others, open the app by its name in the network.":""}let t=P.covered();P.black.hidden=n!=="black",n!=="code"?P.code.close():P.code.open||P.code.showModal(),n==="code"?P.copy.focus():t&&(P.copy.blur(),Vt?.share.focus({preventScroll:!0}))}function Zp(){let n=document.createElement("style");document.head.append(n);let e=c("img","",{alt:"QR code of the link below"}),t=c("p","address"),s=c("p","hint",{role:"status"}),o=c("div","black",{hidden:!0}),r=x("copy","Copy link",async N=>{N.stopPropagation();try{await navigator.clipboard.writeText(t.textContent??""),s.textContent="Link copied."}catch{s.textContent="The browser did not allow it. Select the link and copy it."}}),i=x("","Add to plan",N=>{N.stopPropagation(),s.textContent=Ts()}),a=x("","Lesson plan",()=>Jt.open()),l=x("close","✕ Close",()=>Ve(null)),d=c("p","hint","Esc, any other key or a click closes this."),m=c("dialog","code",l,e,t,c("div","wrap",r,i,a),s,d);m.addEventListener("close",()=>Ve(null));let h=c("div","dots",{ariaHidden:"true"}),u=c("div","where"),p=c("div","keys-message"),f=c("div","announcement",{role:"status"}),g=0,w=N=>{g=1,e.src=new URL(`./qr?text=${encodeURIComponent(N)}`,document.baseURI).href,t.textContent=N};e.addEventListener("error",()=>{t.textContent.length>Pp?s.textContent="This link is too long for a QR code.":g++<zp?setTimeout(()=>m.open&&e.setAttribute("src",e.src),Ip):s.textContent="The QR code could not be drawn. Close this and try again."});for(let N of[o,m])N.addEventListener("click",()=>Ve(null));let v=(N,Ae,To)=>x("",Ae,To,{ariaLabel:N,title:N}),S=v("List of slides","☰",Pl),E=c("div","controls",S,v("Previous slide","‹",()=>ar("PageUp")),v("Next slide","›",()=>ar("PageDown")),v("Stop presenting","✕",ys)),T=c("div","slides",{popover:"auto",ariaLabel:"Slides of this page",role:"dialog"});document.body.append(c("div","playground-presenter",u,h,p,f,E,T,o,m,Jt.dialog));let $=0;return{rules:n,encode:w,hint:s,copy:r,toPlan:i,black:o,code:m,dots:h,announcement:f,where:u,list:S,menu:T,tell:N=>{clearTimeout($),p.textContent=N,N&&($=setTimeout(()=>p.textContent="",vl))},covered:()=>!o.hidden||m.open}}function pr(){clearTimeout(xl),Z.toggleAttribute("data-moved",O!==null);for(let n of xs)n.adoptedStyleSheets=n.adoptedStyleSheets.filter(e=>e!==mr);xs=[],O!==null&&(xl=setTimeout(eu,Op))}function eu(){Z.removeAttribute("data-moved");let n=[...document.querySelectorAll(`${j} *`)].map(e=>e.shadowRoot).filter(e=>e!==null);xs=[document,...n];for(let e of xs)e.adoptedStyleSheets=[...e.adoptedStyleSheets,mr]}function tu(n){let e=x("small-button","",()=>lr(),{title:"Present one part at a time, in large type (F)",ariaKeyShortcuts:"F"});e.innerHTML='<svg viewBox="0 0 20 14" aria-hidden="true"><path d="M1 1h18M2.5 1v8h15V1M10 9v2M7 13.4l3-2.4 3 2.4"/></svg><span class="words">Present</span>';let t=x("small-button share","",()=>Ve("code"),{title:"A link to what this page shows (Q)",ariaKeyShortcuts:"Q"});t.innerHTML='<svg viewBox="0 0 14 14" aria-hidden="true"><path d="M4.4 5.9l5.2-2.6M4.4 8.1l5.2 2.6"/><circle cx="3" cy="7" r="1.9"/><circle cx="11" cy="2.7" r="1.9"/><circle cx="11" cy="11.3" r="1.9"/></svg><span class="words">Share</span>';let s=c("div","tools",nr(),e,t);return n.append(s),{node:s,present:e,share:t,data:null,close:()=>s.remove()}}var wy,it,ks,kl,Rp,Op,vl,Tl,El,Np,Hp,Pp,zp,Ip,Dp,ul,Bp,Wp,jp,Up,Z,bs,Vt,us,O,Tn,Ln,or,Ll,ws,fs,fl,gl,Jt,P,qp,wl,yl,Jp,En,mr,xl,xs,ur=b(()=>{wy=Ra(So());Uo();ms();tr();sr();Ke();ie();ne();oe();J();z();C();it="present",ks="1",kl="last",Rp=60,Op=3e3,vl=6e3,Tl="Esc: leave · L: slides and plan · A: add to plan · B: black · Q: QR code · ?: all keys",El="playground lesson plan view",Np=".lesson-title h2",Hp=".shown-pass",Pp=1e3,zp=4,Ip=2e3,Dp=.1,ul=.9,Bp=.8,Wp=12.8,jp={f:"present",Escape:"leave",PageDown:"next",PageUp:"previous",ArrowRight:"next",ArrowLeft:"previous","Shift+PageDown":"nextPage","Shift+PageUp":"previousPage"," ":"run",s:"step",b:"black",".":"black",q:"code",l:"list",a:"add"},Up=new Set(["PageDown","PageUp","ArrowRight","ArrowLeft"]),Z=document.documentElement,bs=new V,Vt=null,us={},O=new URLSearchParams(location.search).get(it),Tn=null,Ln="",or=1,Ll=0,ws=O===null?"":F("sessionStorage",El)??"",fs=hs(location.hash),fl=tt(),gl=0,Jt=new vn({pages:Ee,present:n=>lr(n),share:n=>Ve("code",n),here:()=>({title:Ol(),address:Rl()})}),P=Zp(),qp=M(ve,tu,(n,{data:e})=>{Vt=n,Vt.data=e,Vt.present.hidden=!e.slides.length,Wo(e.page),jo(e.max_chars),Hl(),vs()});wl=!1;document.addEventListener("fullscreenchange",()=>{!document.fullscreenElement&&wl&&ys(),wl=document.fullscreenElement!==null});addEventListener("resize",()=>{cr(),pe.value&&pe.set(Z,pe.value)});document.addEventListener("visibilitychange",$l);for(let n of["pushState","replaceState"]){let e=history[n].bind(history);history[n]=(t,s,o)=>e(t,s,Vp(o))}document.addEventListener("keydown",n=>{let e=n.key==="F5"&&!n.ctrlKey&&!n.metaKey&&!n.altKey,t=n.composedPath().some(r=>r instanceof Element&&r.matches(".code button"))&&["Enter"," "].includes(n.key),s=P.covered()&&!t&&!["Shift","Control","Alt","Meta","Tab"].includes(n.key),o={PageDown:1,PageUp:-1}[He(n)];if(s&&!n.ctrlKey&&!n.metaKey&&!n.altKey)Ve(null);else if(o&&O!==null&&Es()>=0&&Y(n))Nl(o);else if(!e||O===null)return;n.preventDefault(),n.stopImmediatePropagation()},{capture:!0});yl={present:()=>O===null?lr():ys(),leave:()=>O!==null&&ys(),next:()=>O!==null&&bl(1),previous:()=>O!==null&&bl(-1),nextPage:()=>O!==null&&ir(1),previousPage:()=>O!==null&&ir(-1),run:()=>O!==null&&(Xp()||bs.add("run","",1)),step:()=>O!==null&&bs.add("step","",1),black:()=>O!==null&&Ve("black"),code:()=>Ve("code"),list:()=>O!==null&&Pl(),add:()=>{Ts()}},Jp=new Set(["present","leave","run","black","code","list","add"]);addEventListener("keydown",n=>{let e=Et()?.keys;if(!e||!Y(n))return;let t=He(n),s=jp[t];!yl[s]||!(e.includes(t)||Up.has(t)&&Yp(s))||t===" "&&n.composedPath().some(o=>o instanceof Element&&o.matches("button, a, summary, [role=button]"))||(n.repeat&&Jp.has(s)||yl[s]()!==!1)&&n.preventDefault()});addEventListener("hashchange",()=>{fs=hs(location.hash),Hl()});document.addEventListener("click",({target:n})=>{n instanceof Element&&(n.closest(".add-to-plan")&&Ts(),n.closest(".open-plan")&&Jt.open())});En=null;document.addEventListener("touchstart",n=>{let[e,t]=n.touches;En=O!==null&&!t&&!P.covered()&&!n.composedPath().some(Qp)?{x:e.clientX,y:e.clientY}:null},{passive:!0});document.addEventListener("touchend",n=>{if(!En)return;let{clientX:e,clientY:t}=n.changedTouches[0],s=e-En.x;Math.abs(s)>Rp&&Math.abs(s)>2*Math.abs(t-En.y)&&ar(s<0?"PageDown":"PageUp"),En=null},{passive:!0});mr=new CSSStyleSheet;mr.replaceSync("* { cursor: none !important }");xl=0,xs=[];document.addEventListener("pointermove",pr,{passive:!0});O!==null&&Sl()});var Il={};k(Il,{hide:()=>Je,hideSoon:()=>Ms,show:()=>Cs});function nu(n){Cs(n,n.textContent,"",n.getAttribute("aria-description"))}function Cs(n,e,t,s,o=""){if(clearTimeout(Cn),fr===n&&!ue.hidden)return;fr=n;let r=[["title",e],["shape",t],["",s],["action",o]];ue.replaceChildren(...r.flatMap(([p,f])=>f?[c("div",p??"",f)]:[]));let i=getComputedStyle(document.querySelector(et)??document.body);ue.style.background=i.color,ue.style.color=i.backgroundColor,ue.hidden=!1;let a=n.getBoundingClientRect(),{offsetWidth:l,offsetHeight:d}=ue,m=a.top-d-Yt,h=a.bottom+Yt,u=a.left+a.width/2-l/2;ue.style.left=`${Math.max(Yt,Math.min(u,document.documentElement.clientWidth-l-Yt))}px`,ue.style.top=`${m>Yt||h+d>innerHeight?Math.max(Yt,m):h}px`}function Ms(){clearTimeout(Cn),Cn=setTimeout(Je,120)}function Je(){clearTimeout(Cn),fr=null,ue.hidden=!0}var Yt,ue,fr,Cn,Ls,gr,Ss,Lt,$s=b(()=>{J();C();Yt=8,ue=c("div","playground-tip"),fr=null,Cn=0;ue.setAttribute("role","tooltip");ue.hidden=!0;document.body.append(ue);Ls=n=>{let[e]=n.composedPath();return e instanceof Element?e.closest(".term"):null},gr=n=>ue.contains(n.target),Ss=n=>{let e=Ls(n);return e&&nu(e),e},Lt=document.addEventListener.bind(document);Lt("pointerover",n=>gr(n)?clearTimeout(Cn):Ss(n));Lt("pointerout",n=>(Ls(n)||gr(n))&&n.pointerType!=="touch"&&Ms());Lt("focusin",Ss);Lt("focusout",n=>Ls(n)&&Je());Lt("click",n=>Ss(n)||gr(n)||Je());Lt("keydown",n=>{if(!Ls(n)||n.key!=="Enter"&&n.key!==" ")return Je();n.preventDefault(),Ss(n)});Lt("scroll",Je,{capture:!0,passive:!0});addEventListener("resize",Je)});var Bl,Dl=b(()=>{Bl=`/* The first look: a sentence and a short tour beside a model at work. */
.first {
  --purple: var(--st-chart-categorical-colors-4, #7a45b8);
  border-bottom: 1px solid var(--st-border-color);
  gap: 0.75rem 2.5rem;
  padding: 0.25rem 0 1rem;
}
.words {
  flex: 5 1 22rem;
}
.demo {
  flex: 6 1 22rem;
  min-width: 0;
}
p,
h2 {
  margin: 0 0 0.5rem;
}
.name {
  font-size: 1.75em;
  font-weight: 700;
}
.promise {
  font-size: 1.25em;
}
.stops {
  gap: 0.4rem;
}
.stop {
  border: 1px solid var(--st-border-color);
  border-radius: 1rem;
  min-height: 2rem;
  padding: 0.15rem 0.75rem;
}
.lesson {
  color: inherit;
  border: 2px solid var(--st-primary-color);
  font-weight: 600;
  margin-left: 0.3rem;
  text-decoration: none;
}
label {
  align-items: center;
  gap: 0.4rem 0.6rem;
}
input {
  width: 12.5rem;
}
.plot {
  --cell: min(2.6rem, calc(100% / var(--columns, 6)));
  margin: 0.6rem 0 0.4rem;
  min-height: 8.4rem;
}
.old {
  opacity: 0.4;
}
.row {
  display: grid;
  grid-template-columns: repeat(var(--columns), var(--cell));
}
.token {
  border-radius: 0.35rem;
  line-height: 1.9rem;
  margin: 0 0.08rem;
  overflow: hidden;
  padding: 0;
  text-align: center;
}
span.token {
  background: color-mix(in srgb, var(--purple) calc(var(--weight, 0) * 70%), var(--st-secondary-background-color));
}
.token.most {
  outline: 2px solid var(--purple);
  outline-offset: -2px;
}
button.token {
  border: 1px solid var(--st-border-color);
}
button.shown {
  border-color: var(--purple);
  box-shadow: inset 0 0 0 1px var(--purple);
}
.writing button.token:not(.there) {
  visibility: hidden;
}
svg {
  display: block;
  height: 4.4rem;
  width: calc(var(--cell) * var(--columns));
}
path {
  fill: none;
  opacity: calc(0.15 + 0.85 * var(--weight));
  stroke: var(--purple);
  stroke-width: calc(1px + 4px * var(--weight));
  vector-effect: non-scaling-stroke;
}
.status {
  min-height: 1.4em;
}
`});var Wl={};k(Wl,{Latest:()=>Le,ask:()=>fe});async function fe(n,e,t=()=>!0){for(let s=1;;s++){let o=await fetch(n,{signal:AbortSignal.timeout(e)}),r=Number(o.headers.get("Retry-After"));if(o.status!==429||s===4||!t())return o;let i=Date.now()+1e3*Math.min(30,Math.max(1,r||1))*(1+Math.random()/2);for(;Date.now()<i&&t();)await new Promise(a=>setTimeout(a,200));if(!t())return o}}var Le,Xe=b(()=>{Le=class{most;read;known=new Map;wanted=null;busy=!1;constructor(e,t){this.most=e,this.read=t}ask(e,t){let s=this.known.get(e);this.wanted=s?null:{address:e,act:t},s?t(s):this.busy||this.work()}forget(){this.wanted=null}async work(){for(this.busy=!0;this.wanted;){let{address:e}=this.wanted,t=await this.read(e,()=>this.wanted?.address===e);"problem"in t||this.known.set(e,t);let[s]=this.known.keys();if(this.known.size>this.most&&this.known.delete(s),this.wanted?.address!==e)continue;let{act:o}=this.wanted;this.wanted=null,o(t)}this.busy=!1}}});var jl={};k(jl,{decode:()=>_});function _(n){let e=n.slice().buffer,t=new DataView(e).getUint32(0,!0),s=JSON.parse(new TextDecoder().decode(new Uint8Array(e,4,t))),o=4+t,r=(i,a)=>{let l=new i(e,o,a);return o+=4*Math.ceil(l.byteLength/4),l};return s.tensors.forEach((i,a)=>{i.index=a,i.cells=i.rows.count*i.columns.count;let l=(i.heads?.count??1)*i.cells;i.values=i.kind==="mask"?r(Uint8Array,l):r(Float32Array,l),i.slopes=i.gradient?r(Float32Array,l):null,i.causes=i.hidden?r(Uint8Array,i.hidden*i.cells):null;for(let d of[i.rows,i.columns])d.names=s.labels[d.labels]??null}),s}var ze=b(()=>{});var Ul={};k(Ul,{attentionOf:()=>St});async function St(n,e,t){let s=new URLSearchParams(e);try{let o=new URL(`./library/${encodeURIComponent(n)}/attention?${s}`,document.baseURI),r=await fe(o,ou,t);if(!r.ok)return{tensor:null,problem:await r.text(),later:r.status===429};let[i]=_(new Uint8Array(await r.arrayBuffer())).tensors;return{tensor:i,problem:"",later:!1}}catch{return{tensor:null,problem:"",later:!0}}}var ou,Mn=b(()=>{Xe();ze();ou=2e4});var ql={};k(ql,{default:()=>lu});function cu(n){return[...n.replace(/[\s,]/g,"")].join(" ")}function du({values:n,heads:e,rows:t,columns:s},o){let r=e?.count??1;return Array.from({length:s.count},(i,a)=>{let l=0;for(let d=0;d<r;d++)l+=n[(d*t.count+o)*s.count+a];return l/r})}var ru,iu,au,lu,br,Gl=b(()=>{B();Dl();Xe();Mn();ie();z();C();ze();ru=300,iu=550,au=.02,lu=M([A,Bl],n=>new br(n),(n,{data:e,setTriggerValue:t})=>{n.open=s=>t("stop",{tap:s,input:n.answered}),n.learn=()=>t("lesson",!0),n.show(e)});br=class{stops;plot;status;input;questions;lines;open=()=>{};learn=()=>{};data=null;answered="";timer=0;typing=0;read=[];written=[];constructor(e){let t=s=>e.querySelector(s);t(".first").hidden=!1,this.stops=t(".stops"),t(".lesson").addEventListener("click",()=>this.learn()),this.plot=t(".plot"),this.status=t(".status"),this.input=t("input"),this.input.addEventListener("input",()=>{clearTimeout(this.typing),this.typing=setTimeout(()=>this.ask(),ru)}),this.questions=new Le(20,(s,o)=>{let{name:r,stamp:i}=this.data;return St(r,{stamp:i,input:s},o).then(a=>a.tensor??a)})}close(){clearTimeout(this.timer),clearTimeout(this.typing),this.questions.forget()}show(e){if(this.data)return;this.data=e;let t=document.querySelector("#opening .look");if(this.stops.replaceChildren(...Object.entries(e.stops).map(([o,r],i)=>x("stop",`${i+1} ${o}`,()=>this.open(r)))),this.input.value=this.answered=e.input,!t?.dataset.weights)return this.ask();let[s]=_(Uint8Array.from(atob(t.dataset.weights),o=>o.charCodeAt(0))).tensors;this.draw(s,!0)}ask(){let e=cu(this.input.value);if(this.plot.classList.remove("old"),!e)return y(this.status,"");this.questions.ask(e,t=>{if(!("values"in t)){this.rest(),this.plot.classList.add("old"),y(this.status,t.problem||"The server does not answer. Type again to retry.");return}this.answered=e,this.draw(t)})}draw(e,t=!1){clearTimeout(this.timer);let{rows:s,columns:o}=e,r=s.count-1;this.read=Array.from({length:o.count},(a,l)=>c("span","token",ke(o,l))),this.written=Array.from({length:r},(a,l)=>{let d=x("token",ke(s,l+1),()=>this.look(e,l));for(let m of["pointerenter","focus"])d.addEventListener(m,()=>this.look(e,l));return d}),this.lines=D("svg",{viewBox:`0 0 ${o.count} 1`,preserveAspectRatio:"none","aria-hidden":"true"}),this.plot.style.setProperty("--columns",String(o.count)),this.plot.replaceChildren(c("div","row",...this.read),this.lines,c("div","row",...this.written));let i=this.written.map(a=>a.textContent).join(" ");if(this.plot.setAttribute("aria-label",`Answer: ${i}`),he()||t||!r){r&&this.look(e,0);return}this.plot.classList.add("writing"),this.write(e,0)}write(e,t){this.mark(e,t),this.written[t].classList.add("there"),t+1<this.written.length?this.timer=setTimeout(()=>this.write(e,t+1),iu):this.plot.classList.remove("writing")}rest(){clearTimeout(this.timer),this.plot.classList.remove("writing")}look(e,t){this.rest(),this.mark(e,t)}mark(e,t){let s=du(e,t),o=s.indexOf(Math.max(...s));this.read.forEach((i,a)=>{i.style.setProperty("--weight",String(s[a])),i.classList.toggle("most",a===o)}),this.written.forEach((i,a)=>i.classList.toggle("shown",a===t)),this.lines?.replaceChildren(...s.flatMap((i,a)=>{if(i<au)return[];let l=D("path",{d:`M${t+.5} 1 C${t+.5} 0.4 ${a+.5} 0.6 ${a+.5} 0`});return l.style.setProperty("--weight",String(i)),[l]}));let r=e.heads?.count??1;y(this.status,`When the model predicts “${this.written[t].textContent}”, ${I(s[o])} of its attention to the input goes to the marked “${this.read[o].textContent}” (cross-attention, mean of ${r} heads).`)}}});var Fl,_l=b(()=>{Fl=`/* The library as cards. */
.bar {
  align-items: center;
  gap: 0.5rem 1rem;
  margin-bottom: 0.9rem;
}
.bar input {
  flex: 1 1 12rem;
  max-width: 26rem;
}
.count {
  margin-right: auto;
}
@container (max-width: 640px) {
  .bar label {
    margin-right: auto;
  }
  .count {
    order: 1;
    width: 100%;
  }
}
.grid {
  display: grid;
  gap: 0.9rem;
  grid-template-columns: var(--card-columns, repeat(auto-fill, minmax(min(100%, 17.5rem), 1fr)));
  padding: 2px;
}
.nothing {
  margin: 1.5rem 0;
  text-align: center;
}

/* ---- a card */
.card {
  border: 1px solid var(--st-border-color);
  border-radius: 0.75rem;
  contain: layout style;
  display: flex;
  flex-direction: column;
  overflow-wrap: anywhere;
  padding: 0.8rem 0.95rem 0.7rem;
  position: relative;
  scroll-margin: 5rem 0 9rem;
}
.card:hover {
  border-color: color-mix(in srgb, var(--st-primary-color) 55%, var(--st-border-color));
}
.card.selected {
  border-color: var(--st-primary-color);
  background: color-mix(in srgb, var(--st-primary-color) 6%, transparent);
  box-shadow: 0 0 0 1px var(--st-primary-color);
}
.heads {
  display: grid;
  gap: 0.4rem;
  grid-template: 100% / repeat(4, minmax(0, 1fr));
  height: 4.3rem;
  margin-bottom: 0.6rem;
}
/* Up to three cards fill a slide. */
.grid:not(:has(> :nth-child(4))) .heads {
  grid-template: var(--few-heads-grid, 100% / repeat(4, minmax(0, 1fr)));
  height: var(--few-heads, 4.3rem);
}
.grid:not(:has(> :nth-child(4))) canvas {
  object-fit: contain;
}
.unusable .heads {
  display: none;
}
.heads:empty {
  background: color-mix(in srgb, currentColor 4%, transparent);
  border-radius: 0.4rem;
}
.heads canvas {
  border: 1px solid color-mix(in srgb, currentColor 20%, transparent);
  border-radius: 0.2rem;
  box-sizing: border-box;
  height: 100%;
  image-rendering: pixelated;
  width: 100%;
}
.why {
  grid-column: 1 / -1;
}
.pick,
.pick:hover {
  background: none;
  font-size: 1.1em;
  font-weight: 650;
  min-height: 24px;
  padding: 0;
  text-align: left;
}
/* The whole card is the button. */
.pick::after {
  border-radius: 0.75rem;
  content: "";
  inset: 0;
  position: absolute;
}
.pick:focus-visible {
  outline: 0;
}
.pick:focus-visible::after {
  outline: 2px solid var(--st-primary-color);
  outline-offset: 2px;
}
.facts {
  display: contents;
}
.soft {
  font-size: max(0.9em, var(--least, 0px));
}
.score {
  margin-top: 0.45rem;
}
.score strong {
  font-size: 1.35em;
  line-height: 1.2;
}
.gauge {
  background: linear-gradient(
    to right,
    light-dark(#0b7f7a, #3fc7c0) calc(100% * var(--share)),
    color-mix(in srgb, currentColor 12%, transparent) 0
  );
  border-radius: 1rem;
  height: 0.28rem;
  margin: 0.15rem 0 0.45rem;
}
.badges {
  align-items: center;
  gap: 0.3rem;
  margin-top: auto;
  min-height: 1.5rem;
  padding: 0.45rem 6rem 0 0;
}
.badge {
  background: color-mix(in srgb, currentColor 8%, transparent);
  border-radius: 0.7rem;
  font-size: max(0.8em, var(--least, 0px));
  padding: 0.05rem 0.6rem;
}
.unusable .badge:first-child {
  color: light-dark(#b3261e, #ff8a80);
}
.tick {
  align-items: center;
  bottom: 0.3rem;
  cursor: pointer;
  display: flex;
  font-size: max(0.85em, var(--least, 0px));
  gap: 0.4rem;
  padding: 0.5rem 0.2rem;
  position: absolute;
  right: 0.75rem;
}
.tick input {
  height: 1.2rem;
  margin: 0;
  width: 1.2rem;
}
.tick:has(:disabled) {
  cursor: default;
  opacity: 0.45;
}
`});var Vl={};k(Vl,{CAUSAL:()=>Ct,PADDING:()=>Qt,causeOf:()=>yr,css:()=>re,drawn:()=>$t,hatch:()=>xr,hatchCss:()=>Rs,imageOf:()=>Mt,mix:()=>lt,readTheme:()=>W,readableOn:()=>$n,shade:()=>As});function W(n){let e=getComputedStyle(n.host??n),t=c("canvas");t.width=t.height=1;let s=Oe(t,{willReadFrequently:!0}),o=p=>(s.clearRect(0,0,1,1),s.fillStyle=e.getPropertyValue(p).trim(),s.fillRect(0,0,1,1),[...s.getImageData(0,0,1,1).data.subarray(0,3)]),r=p=>[1,3,5].map(f=>parseInt(p.slice(f,f+2),16)),i=o("--st-background-color"),a=o("--st-text-color"),l=Kl(i)>.5?mu:pu,d=p=>[i,...l[p].map(r)],m=parseFloat(getComputedStyle(document.documentElement).fontSize),h=parseFloat(e.getPropertyValue("--least"))||0,u=e.getPropertyValue("--st-font").trim()||"sans-serif";return{background:i,panel:o("--st-secondary-background-color"),negative:d("negative"),positive:d("positive"),probability:d("probability"),allowed:lt(i,a,.45),hatch:re(lt(i,a,.4)),lines:`rgba(${a.join(", ")}, 0.16)`,labels:re(lt(i,a,.75)),ink:re(a),accent:re(o("--st-primary-color")),small:`${Math.max(.6875*m,h)}px ${u}`,text:`${Math.max(.75*m,h)}px ${u}`,bold:`600 ${Math.max(.75*m,h)}px ${u}`,strong:`700 ${Math.max(.6875*m,h)}px ${u}`,family:u,line:Math.round(Math.max(.875*m,1.1*h)),scale:m/16}}function As(n,e,t){if(!Number.isFinite(e))return t.background;if(n.kind==="tokens")return t.panel;if(n.kind==="mask")return e?t.allowed:t.background;if(n.kind==="probability")return wr(t.probability,e);if(!n.coloured)return t.panel;let{most:s=1}=n;return e<0?wr(t.negative,-e/s):wr(t.positive,e/s)}function Mt(n,e,t=()=>!0){let s=new ImageData(n.columns,n.rows);for(let o=0;o<n.values.length;o++)s.data.set(As(n,n.values[o],e),4*o),s.data[4*o+3]=t(o)?255:0;return s}function $t(n,e){return Object.assign(n,{width:e.width,height:e.height}),Oe(n).putImageData(e,0,0),n}function wr(n,e){let t=Math.min(Math.max(e,0),1)*2,s=t<1?0:1;return lt(n[s],n[s+1],t-s)}function Kl(n){let[e,t,s]=Array.from(n,o=>{let r=o/255;return r<=.04045?r/12.92:((r+.055)/1.055)**2.4});return .2126*e+.7152*t+.0722*s}function $n(n){return Kl(n)>.179?"#000":"#fff"}function lt(n,e,t){return n.map((s,o)=>Math.round(s+(e[o]-s)*t))}function re(n){return`rgb(${n.join(", ")})`}function yr(n,e){return(n.hidden?.[e]??0)||(n.values[e]===-1/0?Ct:0)}function xr(n,e,t,s){let o=Math.round(6*s),r=c("canvas");r.width=r.height=o;let i=Oe(r);i.strokeStyle=e.hatch,i.lineWidth=s,i.beginPath();for(let l of[-o,0,o])t&Ct&&(i.moveTo(l,o),i.lineTo(l+o,0)),t&Qt&&(i.moveTo(l,0),i.lineTo(l+o,o));i.stroke();let a=n.createPattern(r,"repeat");return a?.setTransform(new DOMMatrix().scale(1/s)),a??"transparent"}function Rs(n,e){let t=s=>`repeating-linear-gradient(${s}deg, ${n.hatch} 0 1px, transparent 1px 4px)`;return[e&Ct&&t(135),e&Qt&&t(45)].filter(Boolean).join(", ")}var mu,pu,Ct,Qt,ge=b(()=>{C();mu={negative:["#74abd9","#0b4a8f"],positive:["#f3a354","#9c4100"],probability:["#9b78d3","#3d0f70"]},pu={negative:["#2c68a8","#9bd0ff"],positive:["#a85a10","#ffc27d"],probability:["#8558cc","#e4d4ff"]},Ct=1,Qt=2});var Yl={};k(Yl,{keepClear:()=>Er});function Er(n){Ns!==n&&(Ns=n,Jl.observe(document.body,{childList:!0,subtree:!0}),addEventListener("scroll",At,{capture:!0,passive:!0}),addEventListener("resize",At)),At()}function At(){Xl||=requestAnimationFrame(uu)}function uu(){if(Xl=0,!Ns?.isConnected)return fu();let n=[U("card-actions"),U("dock")].map(i=>document.querySelector(i));if(n.some((i,a)=>i!==Tr[a])){vr.disconnect();for(let i of n)i&&vr.observe(i);Tr=n}let[e,t]=n;if(!e||!t)return kr.style.removeProperty("--corner");let{top:s,bottom:o}=e.getBoundingClientRect(),r=innerHeight-o>=t.offsetHeight+2*Os;kr.style.setProperty("--corner",`${Math.round(r?Os:Math.max(Os,innerHeight-s+Os/2))}px`)}function fu(){Ns=null,Tr=[],Jl.disconnect(),vr.disconnect(),removeEventListener("scroll",At,{capture:!0}),removeEventListener("resize",At),kr.style.removeProperty("--corner")}var Os,kr,vr,Jl,Ns,Tr,Xl,Lr=b(()=>{J();Os=14,kr=document.documentElement,vr=new ResizeObserver(At),Jl=new MutationObserver(At),Ns=null,Tr=[],Xl=0});var Ql={};k(Ql,{say:()=>ct,upload:()=>An});async function An(n,e){if(Sr)return null;let t=bu(n,e);if(t)return ct(t,!0);Sr=!0,ct(`Uploading ${n.name}`);try{let{name:s,message:o,problem:r}=await wu(n);return s?(ct(o??""),setTimeout(()=>Ye.text.textContent===o&&Cr(),gu),s):ct(r||"The server refused the file. Try again.",!0)}catch{return ct("The file did not reach the server. Check your connection and try again.",!0)}finally{Sr=!1,Ye.bar.hidden=!0}}function ct(n,e=!1){return Ye.text.textContent=n,Ye.node.classList.toggle("wrong",e),Ye.node.hidden=!1,Ye.close.hidden=!e,null}function bu({name:n,size:e},t){return/\.zip$/i.test(n)?e>t?`${n} is too large. A checkpoint has at most ${Math.round(t/1e6)} MB.`:"":`${n} isn't a checkpoint. Choose a .zip made by Download.`}function wu(n){return new Promise((e,t)=>{let s=new XMLHttpRequest,o=new URLSearchParams({name:n.name});s.open("POST",new URL(`./checkpoint?${o}`,document.baseURI)),s.responseType="json",s.upload.onprogress=({loaded:r,total:i,lengthComputable:a})=>{Ye.bar.hidden=!a,a&&(Ye.bar.value=r/i)},s.onload=()=>e(s.response??{}),s.onerror=s.ontimeout=s.onabort=t,s.send(n)})}function Cr(){Ye.node.hidden=!0}function yu(){let n=c("span"),e=c("progress","",{max:1,value:0,hidden:!0}),t=x("","Close",Cr),s=c("div","playground-upload",n,e,t,{hidden:!0,role:"status"});return addEventListener("keydown",o=>o.key==="Escape"&&!t.hidden&&Cr()),document.body.append(s),{node:s,text:n,bar:e,close:t}}var gu,Ye,Sr,Hs=b(()=>{C();gu=6e3,Ye=yu(),Sr=!1});var Zl={};k(Zl,{default:()=>Su});function Cu(n){return n.text??=[n.name,n.task,n.reads,n.architecture,n.origin,n.begun,n.problem&&"unusable"].join(" ").toLowerCase(),n.text}function Mu(n,e){let[t,s]=[n??null,e??null].map(o=>o===null);return t||s?Number(t)-Number(s):typeof n=="number"?Number(e)-n:Lu.compare(String(n),String(e))}function $u({problem:n,task:e,reads:t,architecture:s,exact:o,sequences:r,evidence:i,step:a,size:l,saved:d,origin:m,begun:h,shipped:u}){let p=typeof o=="number",f=p&&c("div","gauge");f&&f.style.setProperty("--share",String(o));let g=c("div","score",p&&c("strong","",I(o)," "),c("span","soft",p?`exact match${r?` on ${G(r)} inputs`:""}`:"not tested"));g.title=i;let w=[n&&"unusable",m&&`from ${m}`,h&&`goes on from ${h}`,u&&"included with the app"];return[n?"":c("div","",`${e}, ${t}`),c("div","soft",n||s),n?"":g,f||"",c("div","soft",[a,l,!u&&Eu.format(1e3*d)].filter(Boolean).join(" · ")),c("div","badges wrap",...w.map(v=>v&&c("span","badge",v)))]}var xu,ku,vu,Tu,Eu,Lu,Mr,$r,Su,Ar,Rr,ec=b(()=>{B();_l();Ke();ge();Mn();Lr();ne();J();Hs();z();C();xu={"":"newest first",name:"name",task:"task",exact:"exact match, best first",bytes:"size, largest first"},ku=["select","move","open","added"],vu=400,Tu=2,Eu=new Intl.DateTimeFormat("en",{dateStyle:"medium",timeStyle:"short",hourCycle:"h23"}),Lu=new Intl.Collator("en",{numeric:!0}),Mr=new Set,$r=0,Su=M([A,Fl],n=>new Ar(n),(n,{data:e,setStateValue:t})=>{n.acts.adopt(e,s=>t("acts",s)),n.show(e)}),Ar=class{root;theme;data;cards=new Map;shown=[];acts=new V;typing=0;search=c("input","",{type:"search",placeholder:"Search",ariaLabel:"Search the library"});order=c("select","",...Object.entries(xu).map(([e,t])=>new Option(t,e)));count=c("span","count",{role:"status"});grid=c("ul","grid",{ariaLabel:"Checkpoints"});nothing=c("p","nothing");file=Tt(".zip,application/zip",async([e])=>{let t=e?await An(e,this.data.most):null;t&&this.act("added",t)});choose=x("","Upload",()=>this.file.click(),{title:"Choose a checkpoint .zip, or drop it on this page."});bar=c("div","bar wrap large",this.search,c("label","","Sort by ",this.order),this.count,this.choose,this.file);box=c("div","box",this.bar,this.grid,this.nothing);sight=new IntersectionObserver(e=>{for(let{target:t,isIntersecting:s}of e)this.cards.get(t.dataset.name??"")?.look(s)},{rootMargin:"120px"});constructor(e){this.root=e,this.theme=W(e),this.search.addEventListener("input",()=>{clearTimeout(this.typing),this.typing=setTimeout(()=>{this.typing=0,this.act("search","",this.search.value)},vu),this.draw()}),this.search.addEventListener("keydown",t=>t.stopPropagation()),this.order.addEventListener("change",()=>this.act("sort","",this.order.value)),this.grid.addEventListener("keydown",t=>this.move(t)),e.append(this.box)}close(){clearTimeout(this.typing),this.sight.disconnect(),this.box.remove()}show(e){let t=this.data?.selected??e.selected;this.data=e,this.theme=W(this.root),!this.typing&&!this.acts.pending.some(([,s])=>s==="search")&&(this.search.value=e.search),this.draw(),t!==e.selected&&this.cards.get(e.selected)?.node.scrollIntoView({block:"nearest"}),!this.typing&&!this.acts.pending.length&&this.settle(),Er(this.box)}act(e,t,s){this.acts.add(e,t,s),this.draw()}settle(){let e=this.shown[0]?.name??"";e!==this.data.selected&&!this.shown.some(({name:t})=>t===this.data.selected)&&this.act("move",e)}get expected(){let{rows:e,selected:t,sort:s}=this.data,o={rows:e,selected:t,sort:s,ticked:new Set(this.data.ticked)};for(let[,r,i,a]of this.acts.pending)r==="sort"&&(o.sort=a),r==="tick"&&o.ticked[a?"add":"delete"](i),r==="delete"&&(o.rows=o.rows.filter(l=>l.name!==i)),ku.includes(r)&&(o.selected=i),r==="delete"&&(o.selected=a??i);return o}draw(){let{grid:e,search:t,nothing:s}=this,{rows:o,selected:r,sort:i,ticked:a}=this.expected;this.order.value=i;let l=t.value.toLowerCase().split(/\s+/),d=o.filter(p=>l.every(f=>Cu(p).includes(f)));i&&d.sort((p,f)=>Mu(p[i],f[i])),this.shown=d;let m=d.map(p=>{let f=this.cards.get(p.name)??new Rr(this,p);return f.fill(p,p.name===r,a),f}),h=[...e.children].findIndex(p=>p.matches(":focus-within"));de(e,m.map(({node:p})=>p)),h>=0&&!e.matches(":focus-within")&&m[Math.min(h,m.length-1)]?.pick.focus();let u=m.find(({row:p})=>p.name===r)??m[0];for(let p of this.cards.values())p.pick.tabIndex=p===u?0:-1;document.querySelector(U("card-buttons"))?.toggleAttribute("inert",!d.some(({name:p})=>p===this.data.selected)),y(this.count,t.value.trim()?`${d.length} of ${o.length}`:`${o.length} checkpoint${o.length===1?"":"s"}`),s.hidden=d.length>0,y(s,o.length?`No checkpoint matches “${t.value}”.`:"No checkpoints yet. Train a model and save it, or drop a .zip on this page.")}move(e){let t=[...this.grid.children].flatMap(i=>this.cards.get(i.dataset.name??"")??[]),s=t.findIndex(({node:i})=>i.contains(e.target));if(s<0||e.altKey||e.ctrlKey||e.metaKey)return;let o=t.filter(({node:i})=>i.offsetTop===t[0].node.offsetTop).length,r={ArrowLeft:-1,ArrowRight:1,ArrowUp:-o,ArrowDown:o,Home:-s,End:t.length}[e.key];if(r!==void 0){Q(e);let i=t[Math.min(t.length-1,Math.max(0,s+r))];for(let a of t)a.pick.tabIndex=a===i?0:-1;i.pick.focus()}else e.key==="Delete"&&!e.repeat&&!t[s].row.shipped&&this.act("delete",t[s].row.name,(t[s+1]??t[s-1])?.row.name)}};Rr=class{cards;row;stamp="";seen=!1;picture=null;ink="";box=c("input");pick;heads=c("div","heads");facts=c("div","facts");tick=c("label","tick",this.box,"Compare");node;constructor(e,t){let{name:s}=t;this.cards=e,this.row=t,Object.assign(this.box,{type:"checkbox",ariaLabel:`Compare ${s}`}),this.box.addEventListener("change",()=>e.act("tick",s,this.box.checked)),this.pick=x("pick",s,()=>e.act("select",s)),this.pick.addEventListener("dblclick",()=>e.act("open",s)),this.node=c("li","card",this.heads,this.pick,this.facts,this.tick),this.node.dataset.name=s,e.cards.set(s,this),e.sight.observe(this.node)}fill(e,t,s){let{box:o,node:r,pick:i,tick:a}=this;r.classList.toggle("selected",t),i.ariaPressed=String(t),o.checked=s.has(e.name),o.disabled=!!e.problem||!o.checked&&s.size>=2,a.title=e.problem?"This checkpoint can't be used.":o.disabled?"Compare two at a time.":"";let l=JSON.stringify(e);this.stamp!==l&&(Object.assign(this,{row:e,stamp:l,picture:null}),r.classList.toggle("unusable",!!e.problem),this.facts.replaceChildren(...$u(e)),this.heads.replaceChildren(),this.look(this.seen)),this.picture&&this.ink!==this.cards.theme.ink&&this.paint()}async look(e){if(this.seen=e,!(!e||this.picture||this.row.problem)&&(Mr.add(this),!($r>=Tu))){$r+=1;for(let t of Mr)Mr.delete(t),t.seen&&t.node.isConnected&&!t.picture&&await t.ask();$r-=1}}async ask(){let{name:e,stamp:t}=this.row,s=()=>this.seen&&this.row.stamp===t,{tensor:o,problem:r,later:i}=await St(e,{heads:"few",stamp:t},s);this.row.stamp===t&&(i||(this.picture=o??r),o?this.paint():r&&this.heads.replaceChildren(c("span","why",r)))}paint(){let{picture:e,heads:t,cards:{theme:s}}=this;if(this.ink=s.ink,!e||typeof e=="string"||!e.heads)return;let{rows:o,columns:r,cells:i,heads:a}=e;t.replaceChildren(...Array.from({length:a.count},(d,m)=>{let h=e.values.subarray(m*i,(m+1)*i);return $t(c("canvas"),Mt({...e,values:h,rows:o.count,columns:r.count},s))}));let l=`Attention of ${a.count}${a.size>a.count?` of ${a.size}`:""} head${a.size>1?"s":""}`;Object.assign(t,{role:"img",ariaLabel:l,title:`${l} on an example`})}}});var sc={};k(sc,{default:()=>Au});function Au({data:n,setTriggerValue:e}){Rn={...n,kept:t=>e("kept",t)}}function Or(n){return Rn&&[...n.dataTransfer?.types??[]].includes("Files")}function nc(n){return e=>{Or(e)&&(e.preventDefault(),Ps=Math.max(0,Ps+n),tc.hidden=Ps===0)}}function Ru(){let n=c("div","zone",c("strong","","Drop to load"),c("span","","a checkpoint as a .zip")),e=c("div","playground-drop",n,{hidden:!0});return document.body.append(e),e}var tc,Rn,Ps,oc=b(()=>{Hs();C();tc=Ru(),Rn=null,Ps=0;addEventListener("dragenter",nc(1));addEventListener("dragleave",nc(-1));addEventListener("dragover",n=>Or(n)&&n.preventDefault());addEventListener("drop",async n=>{if(!Or(n))return;n.preventDefault(),Ps=0,tc.hidden=!0;let e=[...n.dataTransfer?.files??[]];if(!Rn||e.length!==1)return ct("Drop only one file.",!0);let t=await An(e[0],Rn.most);t&&Rn.kept(t)})});var Ie,Zt=b(()=>{Ie=`/* A heatmap, as \`tile.ts\` draws it, and those of the heads of a tensor, as \`group.ts\` does. */
.group {
  max-width: 100%;
}
.flow {
  align-items: flex-start;
  display: flex;
  flex-wrap: wrap;
  gap: 12px 20px;
}
/* Heads alone, see \`fitHeads\`. */
.heads-alone .heading {
  display: none;
}
.heads-alone .flow {
  display: grid;
  gap: 8px 16px;
  grid-template-columns: repeat(var(--across), var(--column, max-content));
}
.tile {
  border-radius: 4px;
  flex: none;
  max-width: 100%;
  outline-offset: 3px;
}
.title {
  font-size: max(0.75rem, var(--least, 0px));
  font-weight: 600;
  height: calc(0.875rem + 4px);
  line-height: calc(0.875rem + 4px);
}
.scroller {
  max-width: 100%;
  overflow: auto;
  scrollbar-width: thin;
}
/* The labels on the left stay where they are: only the right edge fades, see page.css. */
@supports (animation-timeline: scroll()) {
  .tile .scroller {
    animation-name: more-at-the-end;
  }
}
@keyframes more-at-the-end {
  from,
  to {
    mask: linear-gradient(to right, #000 calc(100% - 2rem), transparent) 0 0 / calc(100% + 2rem) 100% no-repeat;
  }
  from {
    mask-position: -2rem 0;
  }
}
/* The layer stays put while .space scrolls below it: the canvas is never larger than what is seen. */
.layer {
  left: 0;
  overflow: hidden;
  position: sticky;
  top: 0;
}
.layer canvas {
  display: block;
}
.marks {
  overflow: hidden;
  pointer-events: none;
  position: absolute;
}
.mark {
  box-sizing: border-box;
  left: 0;
  position: absolute;
  top: 0;
}
/* Ringed in both colours, it shows on every shade. */
.mark.cell {
  border: 2px solid var(--st-text-color);
  box-shadow: inset 0 0 0 1px var(--st-background-color);
  min-height: 7px;
  min-width: 7px;
}
`});var ic,rc=b(()=>{ic=`/* Attention of one of two checkpoints that are compared. */
.scroller {
  scrollbar-width: thin;
}
.readout {
  margin-top: 0.3rem;
  min-height: 1.4em;
  opacity: 0.85;
  white-space: pre-wrap;
}
@container (max-width: 480px) {
  .readout {
    min-height: 2.8em;
  }
}
`});var dc={};k(dc,{EASY_CELL:()=>De,MIN_CELL:()=>On,TITLE:()=>zs,boxOf:()=>be,cellAt:()=>dt,draw:()=>xe,mark:()=>ht,measure:()=>Be,newTile:()=>Nn,paintCells:()=>Hn,place:()=>Qe,reveal:()=>We,stepped:()=>Rt});function Rt(n,{rows:e,columns:t},s){let o=ju[n.key];if(!o||n.ctrlKey||n.altKey||n.metaKey)return null;let r=(i,a)=>Math.max(0,Math.min(a-1,i));return s?{row:r(s.row+o[0],e),column:r(s.column+o[1],t)}:{row:0,column:0}}function Nn(n){let e=c("div","title cut"),t=c("canvas"),s=c("div","marks"),o=c("div","layer",t,s),r=c("div","space",o),i=c("div","scroller",r);i.tabIndex=-1;let a=c("div","tile",e,i,{tabIndex:0,role:"application",ariaRoleDescription:"heatmap"});n.append(a);let l={node:a,title:e,scroller:i,space:r,layer:o,canvas:t,marks:s,lit:[],cells:c("canvas")};return i.addEventListener("scroll",()=>{l.theme&&(xe(l,l.theme),ht(l,l.lit))},{passive:!0}),l}function Be(n,e){let{grid:t}=n,s=Oe(n.canvas),o=(a,l)=>(s.font=l,Math.ceil(a.reduce((d,m)=>Math.max(d,s.measureText(m).width),0))),r=(a,l)=>Array.from({length:l},(d,m)=>ke(a,m)),i=t.kind==="tokens"&&t.rows===1;n.rowTicks=r(t.row,t.rows),n.columnTicks=r(i?{...t.column,names:null}:t.column,t.columns),n.cellTexts=t.kind!=="tokens"?null:i?r(t.column,t.columns):Array.from(t.values,String),n.textWidth=n.cellTexts?Math.min(120,o(n.cellTexts,e.text)+14):0,n.rowTickWidth=Math.min(ac,o(n.rowTicks,e.small)),n.columnTickWidth=Math.min(ac,o(n.columnTicks,e.small)),n.specialWidth=o(Wu,e.small),n.axes=[t.row.axis&&`${t.row.axis} ↓`,t.column.axis&&`${t.column.axis} →`].filter(Boolean).join("   "),n.least=Math.max(o([n.axes],e.small),Math.min(t.strip?300:160,o([t.title],e.bold)+2)),n.line=e.line}function be(n,e,t){let{grid:s,room:o=s}=n,r=n.rowTickWidth?n.rowTickWidth+8:0,i=Math.floor((t-r-2)/o.columns),a=Math.max(On,Math.min(e,i)),l=!!s.column.names&&i<De,d=a;l&&(a=n.line-2);let m=Math.max(a,Math.min(e,Hu));s.strip?{width:a,height:m}=Bu:s.kind==="tokens"?(a=Math.max(Math.min(a,30),n.textWidth),m=30):o.rows===1&&o.columns===1?(a=88,m=36):(o.rows<=3&&(m=Math.max(m,18)),o.columns<=3&&(a=Math.max(a,18)));let u=!(n.columnTickWidth<=a-2)&&a>=n.line-3,p=n.columnTickWidth?u?n.columnTickWidth+5:n.line:0,f=(n.axes?n.line:0)+p+1,g=s.title?n.line+zs:0;return{gutter:r,head:f,cellWidth:a,cellHeight:m,turned:u,pans:l,ease:l?d:a,width:r+s.columns*a+2,height:f+s.rows*m+1,tileWidth:Math.min(t,Math.max(r+o.columns*a+2,n.least)),tileHeight:g+f+o.rows*m+1}}function Qe(n,e,t,s){n.box=e,n.node.style.width=`${e.tileWidth}px`,n.node.style.minHeight=s?"":`${e.tileHeight}px`,nt(n.space,e.width,e.height),nt(n.layer,0,0),n.scroller.style.maxHeight=s?`${s}px`:"";let o=n.scroller.offsetWidth-n.scroller.clientWidth;o&&(n.node.style.width=`${Math.min(t,e.tileWidth+o)}px`),n.viewport={width:Math.min(e.width,n.scroller.clientWidth),height:Math.min(e.height,n.scroller.clientHeight)},nt(n.layer,n.viewport.width,n.viewport.height),n.marks.style.left=`${e.gutter}px`,n.marks.style.top=`${e.head}px`,nt(n.marks,Math.max(0,n.viewport.width-e.gutter),Math.max(0,n.viewport.height-e.head))}function dt(n,e,t){let{grid:s,box:o,scroller:r,layer:i}=n,a=i.getBoundingClientRect();if(e>a.right||t>a.bottom)return null;let l=e-a.left-o.gutter,d=t-a.top-o.head,m=Math.floor((l+r.scrollLeft)/o.cellWidth),h=Math.floor((d+r.scrollTop)/o.cellHeight);return l>=0&&d>=0&&h<s.rows&&m<s.columns?{row:h,column:m}:null}function We(n,e,t){let{box:s,viewport:o,scroller:r}=n,i=(d,m,h,u)=>Math.max(Math.min(d,m),m+h-u),{cellWidth:a,cellHeight:l}=s;r.scrollLeft=i(r.scrollLeft,t*a,a,o.width-s.gutter),r.scrollTop=i(r.scrollTop,e*l,l,o.height-s.head)}function ht(n,e){for(n.lit=e;n.marks.children.length<e.length;)n.marks.append(c("div"));for(;n.marks.children.length>e.length;)n.marks.lastChild?.remove();let{box:t,scroller:s}=n;e.forEach(({name:o,rows:r,columns:i,text:a=""},l)=>{let d=n.marks.children[l];d.className=`mark ${o}`,y(d,a);let m=i[0]*t.cellWidth-s.scrollLeft,h=r[0]*t.cellHeight-s.scrollTop;d.style.transform=`translate(${m}px, ${h}px)`,nt(d,(i[1]-i[0])*t.cellWidth,(r[1]-r[0])*t.cellHeight)})}function Hn(n,e,t=null){n.made=t,n.image=Mt(n.grid,e,s=>cc(n,s)),$t(n.cells,n.image)}function cc({made:n,grid:e},t){return!n||n(Math.floor(t/e.columns),t%e.columns)}function xe(n,e){n.theme=e;let{grid:t,box:s,viewport:o,canvas:r,scroller:i}=n,{gutter:a,head:l,cellWidth:d,cellHeight:m}=s,h=devicePixelRatio,u=Math.round(o.width*h),p=Math.round(o.height*h);(r.width!==u||r.height!==p)&&(r.width=u,r.height=p,nt(r,o.width,o.height));let f=Oe(r);f.setTransform(h,0,0,h,0,0),f.clearRect(0,0,o.width,o.height);let g=a-i.scrollLeft,w=l-i.scrollTop,v={row:Math.floor((l-w)/m),column:Math.floor((a-g)/d)},S={row:Math.min(t.rows,Math.ceil((o.height-w)/m)),column:Math.min(t.columns,Math.ceil((o.width-g)/d))};f.save(),f.beginPath(),f.rect(a,l,o.width-a,o.height-l),f.clip(),f.imageSmoothingEnabled=!1,f.drawImage(n.cells,g,w,t.columns*d,t.rows*m),Uu(f,n,e,g,w,v,S,h),f.beginPath();let E=($,R,H,N)=>f.rect(Math.round($),Math.round(R),H,N),T=Math.min(d,m)>=10;for(let $=v.row;$<=S.row;$++)(T||$===0||$===t.rows)&&E(g,w+$*m-($?1:0),t.columns*d,1);for(let $=v.column;$<=S.column;$++)(T||$===0||$===t.columns)&&E(g+$*d-($?1:0),w,1,t.rows*m);f.fillStyle=e.lines,f.fill(),f.restore(),qu(f,n,e,g,w,v,S)}function Uu(n,e,t,s,o,r,i,a){let{grid:l}=e,{cellWidth:d,cellHeight:m}=e.box,h=d>=Iu*t.scale&&m>=Du*t.scale,u=e.cellTexts||l.kind!=="mask"&&h,p=[null,null,null,null];n.font=t.text,n.textAlign="center",n.textBaseline="middle";for(let f=r.row;f<i.row;f++)for(let g=r.column;g<i.column;g++){let w=f*l.columns+g;if(e.made&&!cc(e,w))continue;let v=s+g*d,S=o+f*m,E=yr(l,w);if(E)(p[E]??=new Path2D).rect(v,S,d,m);else if(u){let T=e.cellTexts?e.cellTexts[w]:Gt(l,l.values[w]);n.fillStyle=$n(e.image.data.subarray(4*w,4*w+3)),n.fillText(bn(n,T,d-4),v+d/2,S+m/2+1)}}for(let f=1;f<=3;f++){let g=p[f];g&&(n.fillStyle=xr(n,t,f,a),n.fill(g))}}function lc(n,e){return[1,2,4,5,8,10,16,20,25,32,50,64].find(s=>s*e>=n)??Math.ceil(n/e)}function qu(n,e,t,s,o,r,i){let{box:a,viewport:l,grid:d}=e,{gutter:m,head:h,cellWidth:u,cellHeight:p}=a;if(n.fillStyle=t.labels,n.font=t.small,n.textBaseline="middle",n.textAlign="left",n.fillText(e.axes,0,e.line/2),e.rowTickWidth){n.textAlign="right";let g=d.rows<=Pu&&p>=zu,w=g?1:lc(e.line-2,p),v=E=>g&&p<e.line-2?E.replace(/[\d.]+px/,`${p}px`):E,S=E=>E%w===0||E===d.marked;for(let E=r.row;E<i.row;E++){let T=o+(E+.5)*p;!S(E)||T<h||!g&&d.marked!==null&&E!==d.marked&&Math.abs(E-d.marked)*p<e.line-2||(n.font=v(E===d.marked?t.strong:t.small),n.fillStyle=E===d.marked?t.ink:t.labels,n.fillText(bn(n,e.rowTicks[E],e.rowTickWidth),m-7,T+.5))}n.font=t.small,n.fillStyle=t.labels}if(d.marked!==null&&d.marked>=r.row&&d.marked<i.row&&m){let g=Math.max(h,o+d.marked*p);n.fillStyle=t.accent,n.fillRect(m-5,g,4,o+(d.marked+1)*p-g),n.fillStyle=t.labels}if(!e.columnTickWidth)return;let f=a.turned?1:lc(e.columnTickWidth+2,u);for(let g=Math.ceil(r.column/f)*f;g<i.column;g+=f){let w=bn(n,e.columnTicks[g],e.columnTickWidth),v=n.measureText(w).width/2,S=s+(g+.5)*u;S<m||!a.turned&&S+v>l.width+2||(2*v>u-2&&a.turned?(n.save(),n.translate(S,h-4),n.rotate(-Math.PI/2),n.textAlign="left",n.fillText(w,0,0),n.restore()):(n.textAlign="center",n.fillText(w,S,h-e.line/2)))}}var On,De,zs,Hu,Pu,zu,Iu,Du,Bu,ac,Wu,ju,mt=b(()=>{ge();C();On=4,De=8,zs=4,Hu=12,Pu=17,zu=8,Iu=34,Du=16,Bu={width:46,height:20},ac=72,Wu=["PAD","BOS","EOS","SEP"],ju={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]}});var mc={};k(mc,{Group:()=>le,headsOf:()=>Se});function Se({heads:n}){return Array.from({length:n?.count??1},(e,t)=>(n?.first??0)+t)}function Gu(n,e,t,s){let{rows:o,columns:r,cells:i,kind:a}=n,l=(e-(n.heads?.first??0))*i,d=(t&&n.slopes||n.values).subarray(l,l+i),m=n.hidden>1?l:0,h=s?`head ${e+1}`:"";return{tensor:n,head:e,slope:t,values:d,hidden:n.causes&&!t?n.causes.subarray(m,m+i):null,kind:t?"signed":a,whole:n.whole&&!t,title:t?`gradient${h&&`, ${h}`}`:h||(n.slopes?"number":""),rows:o.count,columns:r.count,row:o,column:r,marked:n.marked,most:t?n.slope:n.scale,coloured:i>1}}function hc(n,e,t,s){let o=e?_t(n,e,t):"";if(!e||!o)return[];let r=(a,l,d)=>{let m=l<0||l>=e.size;return x("",a,()=>s.go?.({[n]:l}),{ariaLabel:`${n} ${d}`,disabled:m})},i=s[n]??e.count;return[r("«",e.first-i,"back"),c("span","range",o),r("»",e.first+i,"onward")]}var le,Ot=b(()=>{mt();ne();C();le=class{letter=c("span","letter",{ariaHidden:"true"});title=c("span","name");remark=c("span","note");folds=c("span","folds");flow=c("div","flow");lineEnd=c("div","line-end");head=c("div","heading wrap",this.letter,this.title,this.remark,this.folds);node=c("div","group",this.head,this.flow);tensor;pointer=null;keyed=null;keys="Arrow keys move, Enter locks.";note="";least=0;heading=0;placed="";tiles=[];grids=[];broken=0;constructor(e){e.append(this.node)}remove(){this.node.remove()}fill(e,t,s,o,r){this.tensor=e;let i=t.length>1,a=e.heads&&!i;for(this.note=e.heads&&a?`head ${t[0]+1} of ${e.heads.size}`:"",this.grids=[!1,!0].filter(l=>!l||e.slopes).flatMap(l=>t.map(d=>Gu(e,d,l,i))),this.broken=i&&e.slopes?t.length:0;this.tiles.length<this.grids.length;)this.add();for(;this.tiles.length>this.grids.length;)this.tiles.pop()?.node.remove();this.lineEnd.remove(),this.broken&&this.tiles[this.broken].node.before(this.lineEnd),this.letter.hidden=!e.role,e.role&&([this.letter.textContent,this.letter.style.background]=e.role),this.title.textContent=e.title,this.remark.textContent=this.note,this.folds.replaceChildren(...a?[]:hc("heads",e.heads,1,s),...hc("columns",e.columns,0,s)),this.tiles.forEach((l,d)=>{let m=this.grids[d];l.grid=m,l.title.textContent=l.title.title=m.title,l.title.hidden=!m.title;let h=[e.title,this.note,m.title].filter(Boolean).join(", ");l.node.setAttribute("aria-label",`${wn(h,m)} ${this.keys}`)}),this.paint(o,r)}add(){let e=Nn(this.flow);this.tiles.push(e),e.scroller.addEventListener("scroll",()=>{let{scrollLeft:t,scrollTop:s}=e.scroller;for(let{scroller:o}of this.tiles)o!==e.scroller&&Object.assign(o,{scrollLeft:t,scrollTop:s})},{passive:!0})}listen(e,t){let s=c("div","unseen",{ariaLive:"polite"});this.node.append(s),this.keys="Arrow keys move.";let o=r=>{this.pointer=r.type==="pointerleave"?null:r,this.keyed=null,t()};e.addEventListener("pointermove",o),e.addEventListener("pointerdown",o),e.addEventListener("pointerleave",r=>r.pointerType!=="touch"&&o(r)),e.addEventListener("keydown",r=>{let i=this.tiles.find(({node:l})=>l===r.target),a=i?.box&&Rt(r,i.grid,this.keyed?.tile===i?this.keyed:null);a&&(Q(r),this.keyed={tile:i,...a},We(i,a.row,a.column),t(),s.textContent=this.words())}),e.addEventListener("focusout",()=>{this.keyed&&(this.keyed=null,t())})}words(e=": "){let t=this.pointer,s="";for(let o of this.tiles){let r=t&&o.box?dt(o,t.clientX,t.clientY):null,i=this.keyed?this.keyed.tile===o&&this.keyed:r;if(ht(o,i?[{name:"cell",rows:[i.row,i.row+1],columns:[i.column,i.column+1]}]:[]),!i)continue;let{grid:a}=o;s=`${[a.title,Ne("row",a.row,i.row),Ne("column",a.column,i.column)].filter(Boolean).join(", ")}${e}${_e(a,i.row*a.columns+i.column)}`}return s}paint(e,t){for(let s of this.tiles){let{head:o,slope:r}=s.grid;Hn(s,e,t?.slope===r?(i,a)=>t.cell(o,i,a):null)}}}});var wc={};k(wc,{fit:()=>Pn,fitHeads:()=>zn,fitSlide:()=>Ir,layOut:()=>Dr});function Pn(n,e,t,s){for(let r of n.tiles)Be(r,s);let o=fc;for(;o>On&&en(Br(n,o,e),e).height+n.head.offsetHeight>t;)o--;for(let r of n.tiles)Qe(r,be(r,o,e),e,0),xe(r,s)}function Ir(n,e,t,s){for(let a of n.flatMap(({tiles:l})=>l))Be(a,s);let o={cell:0,room:e};for(let a=1;a<=n.length;a++){let l=Math.floor((e-(a-1)*Xu)/a),d=Math.ceil(n.length/a),m=(t-(d-1)*Nt)/d,h=({tiles:p,head:f,node:g},w)=>{if(p.some(S=>be(S,w,l).ease<w))return!1;let v=Math.max(0,...[...g.querySelectorAll(".foot")].map(S=>S.offsetHeight));return en(p.map(S=>Zu(be(S,w,l),v)),l).height+f.offsetHeight<=m},u=Math.round(_u*s.scale);for(;u>o.cell&&!n.every(p=>h(p,u));)u--;u>o.cell&&(o={cell:u,room:l})}let{cell:r,room:i}=o.cell<De*s.scale?{cell:zr*s.scale,room:e}:o;for(let{node:a,tiles:l}of n){a.style.width=`${i}px`;for(let d of l)Qe(d,be(d,r,i),i,0),xe(d,s)}}function Zu({tileWidth:n,tileHeight:e},t){return{width:n,height:e+t}}function zn(n,e,{width:t,height:s,most:o,across:r=1/0}){let{tiles:i}=n;for(let f of i)Be(f,e);let a=f=>Math.min(r,i.length,Math.max(1,Math.floor((t+Nt)/(f+Nt)))),l=o,d=1,m=t,h=0;for(;i.length;l--){let{tileWidth:f,tileHeight:g}=be(i[0],l,t);d=a(f);let w=Math.ceil(i.length/d)*(g+Nt/2)-Nt/2;if(s!==void 0?w<=s:d===Math.min(r,i.length))break;if(l>On)continue;if(s===void 0||!i[0].grid.column.names)break;d=a(uc*e.scale),m=Math.floor((t-(d-1)*Nt)/d);let v=Math.ceil(i.length/d);h=Math.max(uc*e.scale,(s-(v-1)*Nt/2)/v)-i[0].line-zs,l=zr*e.scale;break}let u=i.map(f=>be(f,l,m)),p=JSON.stringify([m,d,h,u]);n.node.classList.add("heads-alone"),n.flow.style.setProperty("--across",String(d)),i.forEach((f,g)=>{p!==n.placed&&Qe(f,u[g],m,u[g].height>h?h:0),xe(f,e)}),n.placed=p}function Dr({sides:n,arrow:e,inputs:t,outputs:s},o,r,i,a,l,d,m){for(let u of[...o,r]){for(let p of u.tiles)Be(p,m),ef(p,l&&p.room||{},d);u.head.style.width=u.node.style.width="max-content",u.least=u.head.offsetWidth,u.heading=u.head.offsetHeight,u.head.style.width=""}let h=tf(o,[r],i,a);n.classList.toggle("beside",h.beside),e.style.flexBasis=e.style.height=`${Hr()}px`;for(let[u,p,f]of[[t,o,h.inputs],[s,[r],h.outputs]]){u.style.width=`${f}px`;for(let g of p){g.node.style.width=`${nf(g,h.cell,f)}px`;for(let w of g.tiles){let v=be(w,h.cell,f);Qe(w,v,f,Pr(v)),xe(w,m)}}}}function ef(n,e,t){let{row:s,column:o,rows:r,columns:i}=n.grid,a=(l,d,m)=>Math.max(l,m??0,t[d.axis]?n.specialWidth:0);n.rowTickWidth=a(n.rowTickWidth,s,e.rowTickWidth),n.columnTickWidth=a(n.columnTickWidth,o,e.columnTickWidth),n.room={rows:Math.max(r,e.rows??0,t[s.axis]??0),columns:Math.max(i,e.columns??0,t[o.axis]??0),rowTickWidth:n.rowTickWidth,columnTickWidth:n.columnTickWidth}}function tf(n,e,t,s){let r=bc()||1,i=t<pc,a=i&&[...n,...e].some(({broken:T})=>T>0)?2:1,l=(i?gc:Vu).map(T=>T*r*a),d=l.map(T=>[T,De]);i||d.unshift(...s.map(T=>[T,De]));let m=[];for(let T=Math.round(fc*r);T>=De;T--)m.push(g(n,e,t,T),w(n,e,t,T));let h=(T,$)=>m.filter(R=>R!==null).filter(R=>R.height<=T&&R.cell>=$).sort((R,H)=>H.ease-R.ease||R.height-H.height)[0],u=T=>Math.min(zr,T.ease),p=h(1/0,De);return d.map(T=>h(...T)).find(T=>T&&u(T)>=Fu*u(p))??h(l[1],De)??g(n,e,t,De);function g(T,$,R,H){let N=S(T,H,R).height+S($,H,R).height+(T.length?Hr():0);return{cell:H,beside:!1,inputs:R,outputs:R,height:N,ease:v(H,[T,R],[$,R])}}function w(T,$,R,H){if(!T.length||R<pc)return null;let N=S(T,H,.45*R).width,Ae=R-N-Hr(),To=Math.max(S(T,H,N).height,S($,H,Ae).height);return $.every(Um=>E(Um,H,Ae).width<=Ae)?{cell:H,beside:!0,inputs:N,outputs:Ae,height:To,ease:v(H,[T,N],[$,Ae])}:null}function v(T,...$){let R=$.flatMap(([H,N])=>H.map(Ae=>Math.min(Ku*r,be(Ae.tiles[0],T,N).ease)));return R.reduce((H,N)=>H+N,0)/R.length}function S(T,$,R){return en(T.map(H=>E(H,$,R)),R)}function E(T,$,R){let H=en(Br(T,$,R),R);return{width:Math.max(H.width,Math.min(R,T.least)),height:H.height+T.heading}}}function bc(){return Number(document.documentElement.style.getPropertyValue("--present-scale"))}function nf(n,e,t){let s=Br(n,e,t),{width:o,height:r}=en(s,t),i=Math.max(...s.map(l=>l.width)),a=o;for(;a-Is>=i&&en(s,a-Is).height===r;)a-=Is;return Math.min(t,Math.max(a,n.least))}function Pr(n){let e=Math.min(Nr,Math.round(Ju*innerHeight));return n.pans?n.height>e?e:0:n.height>Math.max(...gc)||n.height>Nr+240?Nr:0}function Br(n,e,t){return n.tiles.map((s,o)=>{let r=be(s,e,t),i=Pr(r)?r.height-Pr(r):0;return{width:r.tileWidth,height:r.tileHeight-i,starts:n.broken>0&&o===n.broken}})}function en(n,e){let[t,s,o,r]=[0,0,0,0];for(let i of n)t&&(i.starts||t+i.width>e)&&(r+=s+Yu,t=s=0),t+=i.width,o=Math.max(o,t),s=Math.max(s,i.height),t+=Is;return{width:o,height:r+s}}var fc,_u,zr,Fu,Ku,Vu,gc,pc,Nr,Ju,uc,Xu,Nt,Is,Yu,Qu,Hr,Ht=b(()=>{mt();fc=44,_u=90,zr=14,Fu=.75,Ku=28,Vu=[600,800],gc=[800,1200],pc=600,Nr=560,Ju=.6,uc=160,Xu=32,Nt=16,Is=20,Yu=12,Qu=36,Hr=()=>Qu*(bc()||1)});var yc={};k(yc,{default:()=>of});var sf,of,Wr,xc=b(()=>{B();Zt();rc();Mn();ge();Ot();Ht();z();C();sf=30,of=M([A,Ie,ic],n=>new Wr(n),(n,{data:e})=>{n.dress(),n.ask(e)}),Wr=class{root;theme;plot=c("div","plot");readout=c("div","readout"," ",{role:"status"});box=c("div","box",this.plot,this.readout);group=new le(this.plot);observer=new ResizeObserver(()=>this.layout());shown=null;asked=null;constructor(e){this.root=e,this.theme=W(e),e.append(this.box),this.group.listen(this.plot,()=>this.shown&&y(this.readout,this.group.words()||" ")),this.observer.observe(this.box)}close(){this.observer.disconnect(),this.asked="",this.box.remove()}dress(){this.theme=W(this.root),this.shown&&this.group.paint(this.theme,null),this.layout()}async ask({name:e,stamp:t,input:s}){let o=JSON.stringify([e,t,s]);if(o===this.asked)return;this.asked=o;let{tensor:r,problem:i,later:a}=await St(e,{stamp:t,input:s},()=>this.asked===o);this.asked===o&&(a&&(this.asked=null),this.plot.hidden=!r,this.shown=r,this.readout.textContent=r?" ":i||"Server not responding. Change the input to try again.",r&&(this.group.fill(r,Se(r),{},this.theme,null),this.layout()))}layout(){let e=this.box.clientWidth;!e||!this.shown||zn(this.group,this.theme,{width:e,most:Math.round(sf*this.theme.scale),across:e<420?2:4})}}});var kc={};k(kc,{default:()=>rf});function af(n){let e=c("div","outcome",{role:"status"});return n.append(e),{show({unchanged:t,changed:s}){y(e,s&&`Exact match: unchanged ${t} → changed ${s}`)},close:()=>e.remove()}}var rf,vc=b(()=>{B();z();C();rf=M([A],af,(n,{data:e})=>n.show(e))});var ee,Ze=b(()=>{ee=`/* In force before anything is drawn, so that nothing moves when it arrives. */
.stMain .stMainBlockContainer { max-width: initial; } /* from the first picture on, which comes before the setting of the page */
/* One scale: 1.5 rem a page's title, 1.15 what is looked at, 1 text, .85 captions. */
.stMainBlockContainer { padding-top: 3.9rem; padding-inline: clamp(.9rem, 4vw, 4rem); }
.stMainBlockContainer .stHeading h1 { padding: 0 0 .5rem; }
.stApp :is(h1, h2, h3, h4, h5, h6) { overflow-wrap: normal; word-break: normal; }
/* Fields and groups of buttons in one row are equally high, so their labels stand on one line. */
.stHorizontalBlock:has(> .stElementContainer > :is(.stSelectbox, .stNumberInput, .stTextInput)) > .stElementContainer,
  .stHorizontalBlock:has(> .stColumn > .stVerticalBlock > .stElementContainer > :is(.stSelectbox, .stNumberInput, .stTextInput))
    > .stColumn > .stVerticalBlock > .stElementContainer { --group-height: 2.5rem; }
.stElementContainer > .stButtonGroup > [role] > button { min-height: var(--group-height, 2rem); }
.stMain .katex-display { overflow-x: auto; overflow-y: hidden; margin: 0; padding-right: .25em; }
.stMetric, .stMain [data-testid=stMetricValue], .stMain input, .stMain table { font-variant-numeric: tabular-nums; }
/* Tint and line mark what is chosen; in the accent's colour its words would be too faint on a dark page. */
.stTabs [aria-selected=true] p, [data-variant=segmented_control][data-selected=true] p
  { color: light-dark(#1b1f2e, #e8eaf2); }
/* A dialog stands beside the app, where it is not known whether the page is dark. */
.stDialog :is([aria-selected=true], [data-selected=true]), .stDialog :is([aria-selected=true], [data-selected=true]) p
  { color: inherit; }
.soft, :is(.stMain, .stDialog) [data-testid=stCaptionContainer] { opacity: .78; }
:is(.stMain, .stDialog) [data-testid=stCaptionContainer]:has(.stMarkdownColoredText) { opacity: 1; }
.small { font-size: max(.85rem, var(--least, 0px)); line-height: 1.45; }
.toks { display: flex; flex-wrap: wrap; gap: .2rem; align-items: center; min-height: 1.9rem; }
.tok { font: 600 max(.9rem, var(--least, 0px))/1.6rem var(--st-code-font, monospace); min-width: 1.6rem; padding: 0 .35rem;
  text-align: center; font-variant-numeric: tabular-nums;
  border-radius: .35rem; background: color-mix(in srgb, currentColor 9%, transparent); }
.tok.special { font-size: max(.72rem, var(--least, 0px)); opacity: .8; }
.tok.wrong { background: #b3261e; color: #fff; text-decoration: underline wavy; text-underline-offset: 2px; }
.tok.missing { background: none; outline: 1.5px dashed #d64a3a; outline-offset: -1.5px; }
.pairs { display: grid; grid-template-columns: max-content minmax(0, max-content) 1.2rem; gap: 0 .5rem;
  align-items: center; }
:is(.pairs, .example) .toks { flex-wrap: nowrap; gap: .12rem; min-height: 1.55rem; overflow: auto hidden; scrollbar-width: none; }
:is(.pairs, .example) .tok { font-size: max(.82rem, var(--least, 0px)); line-height: 1.35rem; min-width: 1.25rem; padding: 0 .1rem; flex: none; }
.pairs > :nth-child(6n + 4), .pairs > :nth-child(6n + 5), .pairs > :nth-child(6n + 6) { padding-bottom: .4rem; }
.table-wrap { overflow-x: auto; }
/* What can be scrolled sideways fades at the edge where there is more; without an overflow the animation rests. */
@supports (animation-timeline: scroll()) {
  .table-wrap, .scroller, .matrix, .stMain .katex-display { animation: more-at-an-edge linear both; animation-timeline: scroll(self inline); }
}
@keyframes more-at-an-edge {
  from, to { mask: linear-gradient(to right, transparent, #000 2rem calc(100% - 2rem), transparent) 0 0 / calc(100% + 2rem) 100% no-repeat; }
  from { mask-position: -2rem 0; }
}
table.examples { border-collapse: collapse; width: 100%; }
table.examples th { text-align: left; font-weight: 600; font-size: max(.85rem, var(--least, 0px)); opacity: .8; padding: .2rem .6rem .2rem 0; }
table.examples td { padding: .15rem .6rem .15rem 0; vertical-align: top;
  border-top: 1px solid color-mix(in srgb, currentColor 14%, transparent); }
table.examples tr:first-child td { border-top: 0; }
table.examples td:first-child { white-space: nowrap; }
.amount { display: inline-block; width: 7rem; height: .7rem; border-radius: .2rem; vertical-align: baseline;
  background: linear-gradient(90deg, transparent var(--low), var(--fill, #1f6fc4) var(--low) var(--high), transparent var(--high)),
  color-mix(in srgb, currentColor 9%, transparent); }
.amount:has(> i) { position: relative; } /* a 95 % interval, as a line between two ends */
.amount > i { position: absolute; left: var(--end); top: -.15rem; bottom: -.15rem; border-left: 2px solid currentColor; translate: -1px; }
.amount.positive { --fill: #c8590b; } /* as in heatmaps: positive orange, negative blue */
@media (max-width: 640px) { .amount { width: 3.5rem; } }
.st-key-reading-lens .amount { width: 3rem; }
td:has(> .amount) { white-space: nowrap; } /* a bar and its number */
.st-key-scores > * > * { min-height: 2.9rem; }
@media (max-width: 640px) { .st-key-scores > * > * { min-height: 5.8rem; } }
.sides { display: flex; flex-wrap: wrap; gap: .75rem 4rem; }
.sides > * { flex: 1 1 20rem; min-width: 0; }
.shape { font: max(.9rem, var(--least, 0px))/1.4 var(--st-code-font, monospace); font-variant-numeric: tabular-nums; white-space: nowrap; }
.term { cursor: help; border-radius: .2rem; text-decoration: underline dotted currentColor 1px;
  text-decoration-color: color-mix(in srgb, currentColor 55%, transparent); text-underline-offset: .22em; }
.term:hover { text-decoration-color: currentColor; }
.term:focus-visible { outline: 2px solid currentColor; outline-offset: 1px; }
a:is([data-testid=stTopNavLink], [data-testid=stSidebarNavLink], [data-testid=stPageLink-NavLink]):focus-visible
  { outline: 2px solid currentColor; outline-offset: 1px; }
.playground-tip { position: fixed; z-index: 1000000; box-sizing: border-box; max-width: min(20rem, 100vw - 16px);
  padding: .5rem .7rem; border-radius: .5rem; font: max(.875rem, var(--least, 0px))/1.4 "Source Sans", system-ui, sans-serif;
  box-shadow: 0 4px 18px rgb(0 0 0 / .3); font-variant-numeric: tabular-nums; }
.playground-tip .title { font-weight: 650; }
.playground-tip .shape { font-size: max(.8rem, var(--least, 0px)); }
.playground-tip .action { font-size: max(.8rem, var(--least, 0px)); opacity: .8; margin-top: .2rem; }
/* What is drawn without being seen takes no room, not even a gap. */
.stElementContainer:is([class*=st-key-changes-], .st-key-listen),
  [data-testid=stLayoutWrapper]:has(> :is(.st-key-drop, .st-key-presenter, .st-key-docked)) {
    position: absolute; left: 0; }
/* While scripts load, a grey box stands for what will be seen, in its size, and for nothing else. It doesn't shimmer:
   without a GPU that takes up to a quarter of all that a browser computes while a page loads. */
:is([class*=st-key-changes-], .st-key-drop, .st-key-presenter) [data-testid=stSkeleton] { display: none; }
:root [data-testid=stSkeleton] { min-width: 8rem; animation: none; }
.st-key-first-look [data-testid=stSkeleton] { height: 14rem; }
.st-key-architecture [data-testid=stSkeleton] { height: 36rem; }
/* A link that looks like a primary button. */
a.download.download { display: inline-block; padding: .45rem .75rem; border-radius: .5rem; color: #fff; text-decoration: none;
  background: var(--st-primary-color, #4f46b8); }
a.download.download:is(:hover, :focus-visible) { filter: brightness(1.1); outline: 2px solid currentColor; outline-offset: 1px; }
a.download.download code { color: inherit; background: rgb(255 255 255 / .18); }
.tests-table table.examples { width: auto; }
.tests-table table.examples :is(td, th):not(:first-child) { min-width: 1.7rem; padding-inline: .1rem; text-align: center; }
.tests-table ol { columns: 15rem; margin-block: .5rem; }
.tests-table ol code { font-size: max(.8rem, var(--least, 0px)); }
.tests-table :is(td, th):first-child { position: sticky; left: 0; background: light-dark(#fff, #0f1219); }
:is(.st-key-check-code, .st-key-tests-code, .st-key-assignment-code) textarea { font-family: var(--st-code-font, monospace); font-size: max(.875rem, var(--least, 0px)); }
.st-key-head { gap: .5rem 1.5rem !important; margin-bottom: .3rem; }
.st-key-head:has(.st-key-train-view) { min-height: 2.5rem; margin-bottom: -.35rem; }
/* The first look keeps its room, or the page below would move when it is drawn. */
.st-key-first-look { min-height: 15.2rem; }
@media (max-width: 1380px) { .st-key-first-look { min-height: 16.4rem; } }
@media (max-width: 1275px) { .st-key-first-look { min-height: 18.1rem; } }
@media (max-width: 955px) { .st-key-first-look { min-height: 19.8rem; } }
/* Its halves stand below each other, beside each other where the margins get smaller, and below each other again. */
@media (max-width: 905px) { .st-key-first-look { min-height: 26.9rem; } }
@media (min-width: 776px) and (max-width: 865px) { .st-key-first-look { min-height: 19.8rem; } }
@media (max-width: 745px) { .st-key-first-look { min-height: 29.3rem; } }
@media (max-width: 640px) { .st-key-first-look { min-height: 37.2rem; } }
/* A tab of the settings form has its fields in columns, and keeps room for some until they come. */
.st-key-form [role=tabpanel] { min-height: 10.5rem; --group-height: 2.5rem; }
.st-key-form [role=tabpanel] > .stVerticalBlock { display: grid; align-items: start;
  grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); }
.st-key-form [role=tabpanel] > .stVerticalBlock > :is([data-testid=stLayoutWrapper], .stElementContainer:has(> :is(.stHtml, .stTextArea)))
  { grid-column: 1 / -1; }
/* Train: a button keeps its position whatever the label of Play, and the charts theirs whatever the line of progress has. */
.st-key-control { gap: .5rem .75rem !important; }
[class*=st-key-play-] button { min-width: 7.5rem; }
.st-key-control .stButtonGroup { display: flex; align-items: center; gap: .5rem; }
.st-key-control .stButtonGroup > label { margin: 0; min-height: 0; flex: none; }
.stHorizontalBlock.st-key-under-way { min-height: 2.5rem; flex-wrap: nowrap; }
.st-key-under-way > :has(.st-key-slide-progress) { flex: 1 1 0; min-width: 0; }
.stHorizontalBlock.st-key-next { flex-flow: row-reverse nowrap; justify-content: flex-start; width: 30rem; min-height: 2.5rem; }
.st-key-next > * { flex: none !important; width: auto !important; }
.st-key-next [data-testid=stSkeleton] { height: 2rem; width: 11.6rem; } /* of the link, which loads later */
.stToastContainer { inset: auto 1rem calc(1rem + var(--bar, 0px)) auto !important; height: auto !important; } /* the tools in the head stay free */
.st-key-run { min-height: 100dvh; position: relative; }
[data-testid=stLayoutWrapper]:has(> .st-key-nothing) { position: absolute; inset: 7rem 0 auto; }
html:not([data-present]) .st-key-charts { min-height: calc(100dvh - 13rem); } /* what is below them stays there */
@media (max-width: 1100px) {
  .stHorizontalBlock.st-key-under-way { flex-direction: column; align-items: stretch; gap: .4rem; }
  .st-key-under-way > :has(.st-key-slide-progress) { flex: none; }
  .stHorizontalBlock.st-key-next { flex-direction: row; width: 100%; height: 2.7rem; overflow-x: auto;
    scrollbar-width: none; }
  [data-testid=stLayoutWrapper]:has(> .st-key-nothing) { top: 12rem; }
}
.st-key-crumbs { flex: 1 1 16rem; min-height: 1.85rem; }
/* The picture stays in sight while settings are edited; on a phone a line about the model does. */
[data-testid=stLayoutWrapper]:has(> :is(.st-key-picture, .st-key-stale)) { position: sticky; top: 3.9rem; }
.model-summary { display: none; }
.stElementContainer:has(> .stHtml > .tab-errors) { margin-bottom: -1rem; }
.stVerticalBlock .stTabs [role=tab]:is(:has(> * .wrong-task) > .stTabs :nth-of-type(1), :has(> * .wrong-model) > .stTabs :nth-of-type(2),
  :has(> * .wrong-training) > .stTabs :nth-of-type(3))::after
  { content: "●" / "has an error"; margin-left: .3rem; font-size: max(.7rem, var(--least, 0px)); color: #d64a3a; }
/* Room for the picture before it is there: what stands below it stays. */
.st-key-architecture { align-self: center; max-width: 34rem; aspect-ratio: 400 / 650; max-height: max(88vh, 650px); }
.st-key-map .st-key-architecture { width: clamp(24rem, (100dvh - 27rem) * .615, 34rem); max-width: 100%; max-height: none; }
.st-key-reads { min-height: 4.25rem; }
/* A message below one field moves none of its neighbours. */
.st-key-reads > [data-testid=stLayoutWrapper] > .stHorizontalBlock { align-items: flex-start; }
.st-key-reads .stHeading h1 { padding-top: 1.5rem; }
.st-key-reads .stElementContainer:has(> .stHtml .message) { margin-top: -.6rem; }
.st-key-reads .message { padding: .2rem .6rem; font-size: max(.85rem, var(--least, 0px)); }
/* The answer keeps to one line, so that nothing below it moves when a model that learns gives a shorter one. */
.stHorizontalBlock.st-key-reading { row-gap: .3rem; min-height: 2.1rem; margin-block: -.3rem -.4rem; }
.st-key-reading > .stElementContainer:has(> .stHtml .toks), .st-key-reading .stElementContainer:has(> .stButtonGroup)
  { overflow-x: auto; scrollbar-width: none; }
.st-key-reading .stElementContainer:has(> .stButtonGroup) { flex: 1 1 14rem; min-width: 0; min-height: 2.25rem; align-content: center; }
.st-key-reading .toks { flex-wrap: nowrap; }
.st-key-reading .stButtonGroup > div { flex-wrap: nowrap; width: max-content; }
/* Token by token, a row that is too long for its room ends with the newest token, wherever it begins. */
.st-key-reading:has(.newest) .stElementContainer:has(> .stButtonGroup) { display: flex; flex-direction: row-reverse; }
.st-key-reading:has(.newest) .stElementContainer > .stButtonGroup { flex: none; margin-right: auto; }
.st-key-reading .stButtonGroup button { min-width: 2rem; padding-inline: .4rem; }
.st-key-play button { min-width: 5.9rem; min-height: 2.1rem; padding-block: .2rem; justify-content: flex-start; }
.st-key-play button > div { justify-content: flex-start; width: 100%; }
.stHorizontalBlock.st-key-time { overflow: visible; } /* for the ends of the slider */
.st-key-reading .stSlider { height: 2.1rem; }
.st-key-map { position: sticky; top: 3.9rem; }
/* Where an order is set, the Tab key keeps to it: \`reading-order\` is what \`order\` is. */
/* An operation takes the same room whatever it is, so the numbers stay where they are from step to step. */
.stHorizontalBlock.st-key-slide-operation { gap: .35rem .8rem; reading-flow: source-order; }
.st-key-slide-operation .stButton button { min-height: 2.1rem; padding-block: .2rem; }
/* Its row goes on in the fragment of the operation: that has blocks of its own, which only their content is to show. */
.st-key-slide-operation > [data-testid=stLayoutWrapper], .st-key-slide-operation > [data-testid=stLayoutWrapper] > *,
  .st-key-slide-operation :is(.stElementContainer, .stHtml):has(.operation, .sentence) { display: contents; }
.st-key-slide-operation :is(.operation, .sentence, .finding) { flex: 1 0 100%; }
.st-key-slide-operation .stElementContainer:has(> .stMarkdown) { order: 1; reading-order: 1; flex: 1 1 20rem; width: auto; min-height: 4.4rem;
  display: grid; grid-template-columns: minmax(0, 1fr); align-items: center; }
.st-key-slide-operation .stMarkdown > div > div { margin-bottom: 0; } /* Streamlit's -1rem would cut the last line */
.cited.soft { opacity: 1; } /* a link is too faint otherwise */
.stSlider [data-testid=stSliderThumbValue] p { color: light-dark(#4f46b8, #b3abff); }
.cited { order: 2; reading-order: 2; white-space: nowrap; margin-left: auto; }
.finding { order: 3; reading-order: 3; }
.st-key-tensor, .st-key-slide-operation .stElementContainer:has(.message),
  .st-key-slide-operation .stElementContainer:has(.message) ~ .stElementContainer { order: 4; reading-order: 4; }
.operation h2 { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .8rem; padding: 0; margin: 0;
  font-size: 1.15rem; font-weight: 650; }
.role { display: inline-grid; place-items: center; align-self: center; width: 1.3rem; height: 1.3rem;
  border-radius: 50%; font-size: max(.85rem, var(--least, 0px)); font-weight: 700; color: #fff; background: var(--role); }
.operation h2 .shape { font-weight: 400; }
.sentence { margin: 0; min-height: 1.4em; line-height: 1.4; }
.finding { height: 2.6em; overflow-y: auto; padding-left: .7rem; font-size: max(.9rem, var(--least, 0px)); line-height: 1.3;
  border-left: 3px solid color-mix(in srgb, currentColor 30%, transparent); }
@media (max-width: 1400px) { .finding { height: 3.9em; } }
@media (max-width: 1100px) { .finding { height: 5.2em; } }
.notice { min-height: 2.7em; line-height: 1.35; }
:is(.notice, .story).wrong { padding-left: .7rem; border-left: 3px solid #d64a3a; }
.st-key-statement { min-height: 14.7rem; }
.st-key-tensor { min-height: 13rem; }
/* Pitfalls: lines of code that are removed and added; on a phone the list of pitfalls scrolls. */
.difference { margin: 0; padding: .5rem 0; border-radius: .5rem; font: max(.85rem, var(--least, 0px))/1.5 var(--st-code-font, monospace);
  background: color-mix(in srgb, currentColor 5%, transparent); }
.difference :is(span, ins, del) { display: block; padding: 0 .8rem; white-space: pre-wrap; overflow-wrap: anywhere;
  text-decoration: none; }
.difference ins { background: color-mix(in srgb, #16866b 22%, transparent); }
.difference del { background: color-mix(in srgb, #d64a3a 20%, transparent); }
@media (max-width: 640px) {
  [data-testid=stLayoutWrapper]:has(> .st-key-pitfall-list) { max-height: 15rem; overflow-y: auto; flex: none; }
}
.sentence code { font-size: max(.85em, var(--least, 0px)); }
/* Slow motion takes the same room at every stage, and on a projector all of it is in sight. */
.st-key-slow { --slow-height: clamp(17rem, 100dvh - 34.5rem, 32rem); }
.st-key-slow .st-key-architecture { width: min(100%, (var(--slow-height) + 9.5rem) * .615); align-self: center;
  max-height: none; }
.st-key-slow_motion { min-height: calc(var(--slow-height) + 7.6rem); }
.st-key-stale { opacity: .4; filter: grayscale(1); }
.operation { display: flex; justify-content: space-between; align-items: baseline; gap: .2rem .8rem; }
.time-message { flex: 1; text-align: right; }
.operation > span { font-variant-numeric: tabular-nums; }
.operation > span:last-child { white-space: nowrap; }
.st-key-more { row-gap: .1rem !important; }
/* Targets of 24 px, where Streamlit's are lower. */
.stRadio label:not([data-testid=stWidgetLabel]), .stCheckbox label { min-height: 24px; align-items: center; }
button[aria-label^="Help for"] { min-width: 24px; min-height: 24px; margin: -4px; justify-content: center; }
.st-key-random { padding-top: 2rem; } /* beside the field, not beside its label */
.st-key-reads .stButton button, .st-key-reads .stPopover button { min-height: 1.75rem; padding-block: 0; }
@media (max-width: 1200px) {
  .operation { flex-wrap: wrap; }
}
@media (max-width: 640px) {
  /* Below 16 px a phone enlarges the page when a field gets the focus. */
  :is(.stMain, .stDialog, [data-testid=stPopoverBody]) :is(input, textarea, [data-baseweb=select]) { font-size: 16px; }
  /* The picture stands below the button that trains: before the settings, whose elements come after it. */
  .stHorizontalBlock:has(> .stColumn .st-key-architecture):has(> .stColumn .tab-errors) { flex-direction: column; flex-wrap: nowrap; gap: 1rem; reading-flow: source-order; }
  .stHorizontalBlock > .stColumn:has(.tab-errors), .stColumn:has(.tab-errors) > .stVerticalBlock { display: contents; }
  .stColumn > .stVerticalBlock > .stElementContainer:has(.tab-errors), .stElementContainer:has(.tab-errors) ~ * { order: 2; reading-order: 2; }
  .stHorizontalBlock > .stColumn:has(.st-key-architecture) { order: 1; reading-order: 1; flex: none; width: 100%; }
  .stElementContainer.st-key-keys { position: absolute; visibility: hidden; } /* a phone has no keys; ? still opens them */
  .model-summary { display: block; }
  .stElementContainer:has(> .stHtml > .model-summary) { position: sticky; top: 3.75rem; z-index: 3; margin-bottom: 0;
    padding-block: .3rem; background: light-dark(#fff, #0f1219); }
  .st-key-slide-operation .katex { font-size: 1em; }
  /* The tensors come before the words about them, and the formula right below. */
  .st-key-slide-operation .stElementContainer:has(> .stMarkdown) { order: 5; reading-order: 5; min-height: 3.3rem; margin-top: -.6rem; }
  .st-key-slide-operation :is(.sentence, .finding, .cited), .st-key-slide-operation .stElementContainer:has(.sentence) { order: 6; reading-order: 6; }
  .finding { height: auto; }
  .stMainBlockContainer { padding-top: 3.4rem; }
  .st-key-reads .stColumn { min-width: calc(50% - 1rem); flex: 1 1 calc(50% - 1rem); }
  .st-key-reads .stColumn:last-child { min-width: 100%; }
  .st-key-reads .stHorizontalBlock { row-gap: .4rem; }
  .st-key-reads .stColumn .stElementContainer:is(.st-key-input, .st-key-target), .st-key-reads .stColumn:first-child + .stColumn { min-height: 4.25rem; } /* with its label */
  .stHorizontalBlock.st-key-more { flex-wrap: nowrap; gap: .6rem; overflow-x: auto; scrollbar-width: none; }
  .st-key-more p { font-size: max(.85rem, var(--least, 0px)); }
  .st-key-more span:has(> [data-testid=stIconMaterial]):has(+ *) { display: none; } /* not the arrow at the end */
  [aria-label=Contributions] .examples td:first-child { white-space: normal; }
  .tests-table table.examples td:first-child { font-size: max(.8rem, var(--least, 0px)); padding-right: .3rem; white-space: normal; }
  .tests-table table.examples :is(td, th):not(:first-child) { font-size: max(.75rem, var(--least, 0px)); min-width: .95rem; padding-inline: 0; }
  .st-key-more > * { flex: none; }
  .stHorizontalBlock.st-key-more > * { max-height: 1.9rem; }
  .operation { min-height: 3.4rem; }
  .st-key-slow { --slow-height: 20rem; }
  .st-key-slow .st-key-architecture { width: 100%; }
  .st-key-slow_motion { min-height: calc(var(--slow-height) + 11rem); }
  .st-key-control { gap: .5rem .4rem !important; }
  .st-key-control :is(.stButton, .stPopover) button { padding-inline: .6rem; }
  .st-key-control .stPopover [data-has-shortcut] > :has(> [data-testid=stIconMaterial]) { display: none; }
  [class*=st-key-play-] button { min-width: 5.9rem; }
  .stHorizontalBlock.st-key-next { gap: .4rem; }
  .st-key-next :is(button, a) { padding-inline: .5rem; }
  .st-key-next :is(button, a) p { font-size: max(.9rem, var(--least, 0px)); }
  .st-key-next span:has(> [data-testid=stIconMaterial]) { display: none; }
  .st-key-head:has(.st-key-train-view) > .stElementContainer:has(.stHeading) { min-height: 2.7rem; }
  .stElementContainer.st-key-train-view { height: 2rem; }
  .st-key-control .stButtonGroup button { padding-inline: .4rem; }
  .st-key-control .stButtonGroup p { font-size: max(.8rem, var(--least, 0px)); }
}
@media (max-height: 800px) { .st-key-statement { min-height: 9.1rem; } }
@media (max-height: 820px) and (min-width: 641px) {
  .st-key-reads { margin-block: -.3rem -.4rem; }
  .stHorizontalBlock.st-key-slide-operation { row-gap: .1rem; }
  .st-key-slide-operation .stElementContainer:has(> .stMarkdown) { min-height: 2.7rem; }
  .st-key-slide-operation .katex { font-size: 1.05em; }
  html:not([data-present]) .finding { height: auto; min-height: 2.6em; max-height: 5.2em; } /* whole, and the value of the cell in sight */
}

/* Where Streamlit has no room for the menu it moves it into a sidebar: here that is a bar at the bottom. */
.stApp .stSidebar { position: fixed !important; inset: auto 0 0; transform: none; width: 100% !important; min-width: 100%;
  max-width: none; height: calc(var(--bar) + env(safe-area-inset-bottom)) !important;
  border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
.stApp .stSidebar :is([data-testid=stSidebarHeader], [data-testid=stSidebarUserContent], [data-testid=stSidebarResizeHandle]),
  .stApp [data-testid=stExpandSidebarButton] { display: none; }
.stApp .stSidebar [data-testid=stSidebarContent] { padding: 0; overflow: hidden; }
.stApp .stSidebar [data-testid=stSidebarNav] { margin: 0; padding: 0; left: 0; }
.stApp .stSidebar [data-testid=stSidebarNavItems] { display: flex; max-height: none; margin: 0; padding: 0; overflow: hidden; }
.stApp .stSidebar li { flex: 1 1 auto; min-width: 2.6rem; margin: 0; } /* long labels get more of the width */
.stApp .stSidebar [data-testid=stSidebarNavLink] { flex-direction: column; justify-content: center; gap: .1rem; height: var(--bar);
  margin: 0; padding: 0; border-radius: 0; font-size: .75rem; line-height: 1.2; text-align: center; overflow: hidden; }
.stApp .stSidebar [data-testid=stSidebarNavLink] p { font-size: clamp(.45rem, 2.45vw, .75rem); }
:root:has(.stSidebar) { --bar: 3.5rem; --corner: 4.3rem; }
:root:has(.stSidebar):not([data-present]) .stMain { height: auto;
  bottom: calc(var(--bar) + env(safe-area-inset-bottom)); }
/* Streamlit opens a popover below its button even if the button stands at the end of the window. */
:root:has(.stSidebar) [data-testid=stPopoverBody] { inset: auto .5rem calc(var(--bar) + .5rem + env(safe-area-inset-bottom)) !important;
  max-height: 70vh !important; transform: none !important; }

.playground-notice { position: fixed; z-index: 1000002; top: .8rem; left: 50%; translate: -50%; padding: .4rem 1rem;
  border-radius: 1rem; font: max(.9rem, var(--least, 0px))/1.4 "Source Sans", system-ui, sans-serif; color: #fff; background: #8a4b00;
  box-shadow: 0 2px 14px rgb(0 0 0 / .35); }
.playground-notice:empty { display: none; }
.stMain :is(h1, h2):focus { outline: none; }

/* The tools stand in the head of the page, where Streamlit's own words keep clear of them. */
.stHorizontalBlock.st-key-presenter { position: fixed; top: .85rem; right: 1rem; z-index: 999991; flex-wrap: nowrap;
  width: auto; }
.stHorizontalBlock.st-key-presenter > div { width: auto; }
.stAppHeader .stAppToolbar { padding-right: 24rem; }
/* All pages stay in the menu: where they and the tools are too wide, links have no icons and tools nothing else. */
@media (max-width: 1120px) {
  .stAppHeader .stAppToolbar { padding-right: 12.2rem; }
  [data-testid=stTopNavLink] > span:has([data-testid=stIconMaterial]) { display: none; }
  .stAppHeader [data-testid=stTopNav] { padding-inline: .5rem 0; }
}
/* A Share of the page's own knows more: it stands in the room of the one in the head, and looks the same. */
.stApp:has(.stMainBlockContainer .st-key-share) { --tools-share: hidden; }
.stMainBlockContainer .st-key-share { position: fixed; top: .85rem; right: 1rem; z-index: 999992; }
.st-key-share button { width: 5rem; height: 1.75rem; min-height: 0; padding: 0; border-radius: .4rem; }
.st-key-share button p { font-size: .8rem; }
.st-key-share button [data-testid=stIconMaterial] { font-size: 1rem; }
.st-key-share button > div > [aria-hidden] { display: none; }
[data-present] .st-key-share { visibility: hidden; }
@media (min-width: 641px) and (max-width: 1120px) {
  .st-key-share button { width: 2.2rem; }
  .st-key-share button .stMarkdownEllipsis { position: absolute; clip-path: inset(50%); }
}
.plan-buttons { display: flex; flex-wrap: wrap; gap: .4rem; }
.plan-buttons button { font: inherit; font-size: max(.9rem, var(--least, 0px)); padding: .25rem .8rem; color: inherit; cursor: pointer;
  border: 1px solid color-mix(in srgb, currentColor 45%, transparent); border-radius: .5rem; background: none; }
.plan-buttons button:is(:hover, :focus-visible) { outline: 2px solid currentColor; outline-offset: 1px; }
.qr { width: min(14rem, 100%); image-rendering: pixelated; border-radius: .3rem; }

/* The presenter view, see presenter.ts: the page is larger as a whole, and what is no part of the slide is gone. */
.playground-presenter { font-family: "Source Sans", system-ui, sans-serif; }
[data-present] { --toolbar: none; --tools-share: hidden; --expression: static; --expression-height: auto; --expression-least: 5.6rem; font-size: calc(16px * var(--present-scale, 1)); }
[data-present] .stApp { color: light-dark(#000, #fff); }
[data-present] :is(.stAppHeader, .stSidebar, .st-key-presenter, .stToast) { visibility: hidden; }
[data-present] .stMainBlockContainer { padding: 1.25rem clamp(1rem, 4vw, 4rem) 1.25rem; }
[data-slide=model] .st-key-architecture { --map-text-scale: 1.13; --map-height: calc(100dvh - 2.5rem); max-width: none; max-height: none; height: calc(100dvh - 2.5rem); }
[data-present] .stMainBlockContainer :is(.soft, .small, .stMarkdown, label) { color: inherit; opacity: 1; }
[data-present] .finding { height: auto; min-height: 1.3em; }
[data-present] .st-key-slide-operation .stElementContainer:is(.st-key-crumbs, .st-key-gradient, :has(> .stButton)) { display: none; }
@media (min-width: 641px) {
  [data-present] .st-key-slide-operation .stElementContainer:has(> .stMarkdown) { min-height: 4.1rem; padding-bottom: 1.1rem; }
  /* Where one is in the model, in the corner beside the texts. */
  [data-slide=operation] .stMain .stColumn:has(> * > * > .st-key-map) { position: absolute; min-width: 0; width: 0; }
  [data-slide=operation] .st-key-map .st-key-architecture { position: fixed; top: 1.25rem; right: clamp(1rem, 4vw, 4rem); width: var(--small-map);
    --map-text: hidden; --map-lit: 1; --map-strokes: non-scaling-stroke; }
  [data-slide=operation] { --small-map: 4.5rem; }
  [data-slide=operation] .st-key-slide-operation :is(.operation, .sentence, .finding) { flex-basis: calc(100% - var(--small-map) - 1rem);
    margin-right: calc(var(--small-map) + 1rem); }
  [data-slide=operation] .st-key-slide-operation .cited { margin-right: calc(var(--small-map) + 1rem); }
  /* A calculation needs the room of a sentence about the whole tensor. */
  [data-slide=operation] .st-key-slide-operation:has([data-locked]) .finding { display: none; }
}
@media (max-width: 640px) { [data-slide=operation] .st-key-map .st-key-architecture { display: none; } }
[data-slide=cards] { --card-columns: repeat(auto-fit, minmax(min(100%, 17.5rem), 1fr)); --few-heads: clamp(4.3rem, 100dvh - 19.5rem, 60vw);
  --few-heads-grid: repeat(2, minmax(0, 1fr)) / repeat(2, minmax(0, 1fr)); }
/* All lessons at once, in two columns. */
@media (min-width: 900px) {
  [data-slide=lessons] .st-key-lessons { display: grid; grid-template-columns: 1fr 1fr; gap: .45rem .8rem; }
  [data-slide=lessons] .st-key-lessons > .stElementContainer { grid-column: 1 / -1; }
  [data-slide=lessons] .st-key-lessons [class*=st-key-lesson-] { padding-block: .3rem; height: 100%; flex-wrap: nowrap; }
  [data-slide=lessons] [class*=st-key-lesson-] > .stElementContainer:has(> .stHtml > .small) { display: none; }
}
[data-present] label .stTooltipIcon { display: none; }
[data-slide=own] { --outline-height: calc(100dvh - 7rem); --outline-top: 0; }
[data-slide] { --panel-height: calc(100dvh - 8rem); }
[data-slide=slow] .st-key-slow { --slow-height: calc(100dvh - 13rem); }
[data-parts~=slide-progress] { --panel-height: calc(100dvh - 11rem); }
[data-slide=multiples] { --plots-height: calc(100dvh - 5.3rem); }
[data-slide] .st-key-run { min-height: 0; }
@media (max-width: 640px) { [data-parts~=slide-progress] { --panel-height: calc(100dvh - 22rem); } }
.playground-presenter > div { position: fixed; z-index: 1000001; }
.playground-presenter .dots { bottom: .4rem; inset-inline: 0; text-align: center; font-size: var(--least, .8rem); letter-spacing: .3em;
  opacity: .45; pointer-events: none; }
/* Below the slide: in the room between it and the edge. */
.playground-presenter .keys-message { left: 50%; translate: -50%; width: max-content; bottom: 0;
  max-width: 100vw; box-sizing: border-box; padding: 0 .9rem; border-radius: .5rem .5rem 0 0; font-size: .8rem; line-height: 1.2rem;
  text-align: center; background: #1b1f2e; color: #fff; }
.playground-presenter .keys-message:empty { display: none; }
/* Model, input and operation, below the slide. */
.stElementContainer:has(.shown-pass) { display: none; }
.playground-presenter .where { left: 1rem; bottom: 0; max-width: 62vw; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  font-size: var(--least, .8rem); line-height: 1.25rem; color: light-dark(#444, #bbb); }
html:not([data-present]) .playground-presenter .where { display: none; }
/* While the pointer moves; always where there is none, on touch. */
.playground-presenter .controls { right: .4rem; bottom: .2rem; display: flex; gap: .2rem; opacity: 0; pointer-events: none; }
[data-moved] .playground-presenter .controls, .playground-presenter .controls:focus-within { opacity: 1; pointer-events: auto; }
@media (hover: none) { [data-present] .playground-presenter .controls { opacity: 1; pointer-events: auto; } }
.playground-presenter :is(.controls, .slides) button { font: inherit; min-width: 2.25rem; min-height: 2.25rem; cursor: pointer;
  border: 1px solid #767676; border-radius: .5rem; background: light-dark(#f4f5f9, #262b3a); color: light-dark(#000, #fff); }
html:not([data-present]) .playground-presenter .controls { display: none; }
.playground-presenter > .slides { inset: auto .4rem 3rem auto; margin: 0; max-width: 96vw; max-height: 86dvh; overflow-y: auto; padding: .4rem;
  border: 1px solid #767676; border-radius: .5rem; background: light-dark(#fff, #191d28); color: light-dark(#000, #fff); }
.playground-presenter > .slides:popover-open { display: flex; align-items: start; gap: .8rem; }
.playground-presenter > .slides section { flex: 0 1 auto; min-width: 0; }
.playground-presenter h2 { margin: 0; padding: .2rem .8rem; font-size: 1.05rem; }
.playground-presenter > .slides button { display: block; width: 100%; padding: .2rem .8rem; text-align: left; border-color: transparent; }
.playground-presenter > .slides [aria-current] { border-color: currentColor; font-weight: 600; }
.playground-presenter .announcement { width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.playground-presenter :is(.black, .code) { inset: 0; cursor: pointer; }
.playground-presenter .black { background: #000; }
.playground-presenter .code { background: #fff; color: #000; color-scheme: light; place-content: center; justify-items: center;
  gap: .4rem; padding: 1rem; text-align: center; position: fixed; box-sizing: border-box; width: 100vw; height: 100dvh;
  max-width: none; max-height: none; margin: 0; border: 0; }
.playground-presenter .code[open] { display: grid; }
.playground-presenter .wrap { display: flex; flex-wrap: wrap; justify-content: center; gap: .5rem; }
.playground-presenter .code > .close { position: absolute; top: .6rem; right: .8rem; }
.playground-presenter [hidden] { display: none; }
.playground-presenter img { width: min(70vh, 92vw); aspect-ratio: 1; image-rendering: pixelated; }
.playground-presenter dialog button { font: inherit; min-width: 2.25rem; padding: .35rem 1rem; border: 1px solid #767676; border-radius: .5rem;
  background: light-dark(#f4f5f9, #262b3a); color: inherit; cursor: pointer; }
.playground-presenter dialog button:disabled { opacity: .5; cursor: default; }
.playground-presenter dialog button:focus-visible { outline: 2px solid light-dark(#4f46b8, #b3abff); outline-offset: 1px; }
.playground-presenter .plan { width: min(48rem, 94vw); max-height: 92dvh; box-sizing: border-box; padding: 1rem; border: 1px solid #767676;
  border-radius: .8rem; background: light-dark(#fff, #191d28); color: light-dark(#1b1f2e, #e8eaf2); }
.playground-presenter .plan::backdrop { background: rgb(0 0 0 / .4); }
.playground-presenter .plan header { display: flex; justify-content: space-between; align-items: center; }
.playground-presenter .plan h2 { padding: 0; font-size: 1.3rem; }
.playground-presenter .plan .note { max-width: none; min-height: 1.4em; line-height: 1.4; }
.playground-presenter .plan .views { margin: .4rem 0 .8rem; padding-left: 2rem; }
.playground-presenter .plan li::marker { font-variant-numeric: tabular-nums; }
.playground-presenter .plan li > * { vertical-align: middle; margin: .15rem 0; }
.playground-presenter .plan li > button { padding: .35rem .5rem; margin-left: .25rem; }
.playground-presenter .plan input { font: inherit; width: calc(100% - 10.4rem); box-sizing: border-box; padding: .35rem .6rem;
  color: inherit; background: light-dark(#fff, #0f1219); border: 1px solid #767676; border-radius: .5rem; }
.playground-presenter .plan .main { background: #4f46b8; color: #fff; border-color: #4f46b8; }
@media (max-width: 640px) {
  .playground-presenter .plan input { width: 100%; font-size: 16px; }
}
.playground-presenter p { margin: 0; max-width: 92vw; overflow-wrap: anywhere; }
.playground-presenter .address { font: 600 1.1rem/1.35 var(--st-code-font, monospace); }
.playground-presenter .hint { min-height: 1.3em; font-size: .9rem; }
html:not([data-present]) .playground-presenter .dots { display: none; }

/* Messages with any text; the Hub: models as cards, and the corner for pushes and pulls. */
.away { color: light-dark(#4f46b8, #b3abff); }
.message { padding: .5rem .8rem; border-radius: .5rem; line-height: 1.4; overflow-wrap: anywhere;
  background: color-mix(in srgb, var(--tint, transparent) 11%, transparent);
  border-left: 3px solid color-mix(in srgb, var(--tint, currentColor) 75%, transparent); }
.message.plain { padding: .1rem 0; border: 0; }
.message .symbol::before { content: attr(data-symbol); margin-right: .5rem; vertical-align: -.2em;
  font: 400 1.15rem/1 "Material Symbols Rounded"; font-feature-settings: "liga"; }
.message.note { --tint: #2f79c9; }
.message.good { --tint: #16866b; }
.message.care { --tint: #c07a0c; }
.message.wrong { --tint: #d64a3a; }
.model { display: flex; flex-direction: column; gap: .35rem; min-height: 7.6rem; overflow-wrap: anywhere; }
.model .name { font-size: 1.05rem; line-height: 1.35; }
.model .owner { opacity: .7; }
.model .kind { display: flex; flex-wrap: wrap; gap: .25rem; font-size: max(.8rem, var(--least, 0px)); }
.model .kind span, .model .badge { padding: .05rem .45rem; border-radius: .35rem; white-space: nowrap;
  background: color-mix(in srgb, currentColor 9%, transparent); }
.model .badge { margin-left: .5rem; font-size: max(.72rem, var(--least, 0px)); vertical-align: .1em; border: 1px solid currentColor;
  background: none; opacity: .75; }
.stHtml .model dl { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .3rem .5rem; margin: .15rem 0 0;
  padding: 0; font-variant-numeric: tabular-nums; }
.model dt { font-size: max(.75rem, var(--least, 0px)); opacity: .75; }
.model :is(dt, dd) { margin: 0; padding: 0; }
.model dd { font-weight: 600; font-size: max(.9rem, var(--least, 0px)); }
.model .problem { padding-left: .7rem; border-left: 3px solid #d64a3a; font-size: max(.9rem, var(--least, 0px)); line-height: 1.4; }
.model .where code { font-size: max(.85rem, var(--least, 0px)); }
.model details table { border-collapse: collapse; margin-top: .3rem; }
.model summary { cursor: pointer; width: max-content; }
.model td { padding: .05rem 1.2rem .05rem 0; font-variant-numeric: tabular-nums; }
.model.whole { min-height: 0; }
/* The title and the switch in one column, no higher than the fields beside it. */
.st-key-reads .st-key-head { gap: .1rem .5rem !important; }
.st-key-reads .st-key-head h1 { font-size: 1.5rem; padding: 0; }
.st-key-reads .st-key-head .stButtonGroup > div { flex-wrap: wrap; row-gap: .2rem; }
.st-key-reads .st-key-head .stButtonGroup button { min-height: 1.6rem; padding: 0 .25rem; }
.st-key-reads .st-key-head .stButtonGroup button p { font-size: max(.8rem, var(--least, 0px)); }
@media (min-width: 641px) and (max-width: 1000px) {
  .st-key-reads .stHorizontalBlock:has(> .stColumn h1) { flex-wrap: wrap; row-gap: .4rem; }
  .st-key-reads .stColumn:has(h1) { min-width: 100%; }
  .st-key-reads .stHeading h1 { padding-top: 0; }
}
.st-key-reading > .st-key-origin { margin-left: auto; }
.st-key-gallery .stElementContainer:has(.model) { flex: 1 0 auto; }
@media (min-width: 641px) { .stHtml .model.whole dl { grid-template-columns: repeat(6, max-content); column-gap: 1.8rem; } }
.model.waiting { min-height: 13rem; }
.model.waiting i { height: 1rem; width: 60%; border-radius: .35rem; background: color-mix(in srgb, currentColor 10%, transparent); }
.model.waiting i:nth-child(2) { width: 85%; }
.model.waiting i:nth-child(3) { width: 40%; }
.st-key-head > :has(> .st-key-who) { margin-left: auto; width: auto; flex: none; }
.destination { min-height: 2.5rem; display: flex; align-items: center; overflow-wrap: anywhere; }
.st-key-dock { position: fixed; right: 1rem; bottom: var(--corner, 1rem); z-index: 999990; width: min(24rem, 100vw - 2rem) !important;
  gap: .6rem; }
.st-key-dock > [data-testid=stLayoutWrapper] > .stVerticalBlock { padding: .7rem .9rem; border-radius: .6rem;
  background: var(--st-background-color, light-dark(#fff, #191d28));
  border: 1px solid color-mix(in srgb, currentColor 22%, transparent); box-shadow: 0 6px 24px rgb(0 0 0 / .22); }
.transfer-title { overflow-wrap: anywhere; }
.transfer-links { display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
[data-present] .st-key-dock { visibility: hidden; }
/* A file that is dropped: over the whole page while it hovers, then a line at the foot. */
.playground-drop { position: fixed; inset: 0; z-index: 1000001; display: grid; place-items: center; padding: 1.2rem;
  box-sizing: border-box; font: 1rem/1.4 var(--st-font, "Source Sans", system-ui, sans-serif); color: light-dark(#1b1f2e, #e8eaf2);
  background: light-dark(rgb(255 255 255 / .82), rgb(15 18 25 / .82)); pointer-events: none; }
.playground-drop .zone { display: grid; place-content: center; justify-items: center; gap: .5rem; width: 100%;
  height: 100%; box-sizing: border-box; border: 3px dashed #6f62ea; border-radius: 1.2rem; text-align: center; }
.playground-drop strong { font-size: 1.5rem; }
.playground-upload { position: fixed; z-index: 1000002; left: 50%; bottom: 1.2rem; translate: -50%; display: flex;
  align-items: center; gap: .9rem; box-sizing: border-box; width: max-content; max-width: min(40rem, 94vw);
  padding: .7rem 1rem; border-radius: .7rem; font: .95rem/1.4 "Source Sans", system-ui, sans-serif; color: #fff;
  background: #1b1f2e; box-shadow: 0 4px 22px rgb(0 0 0 / .35); overflow-wrap: anywhere; }
.playground-upload.wrong { background: #8c1d18; }
.playground-upload progress { accent-color: #b7afff; width: 7rem; }
.playground-upload button { flex: none; font: inherit; color: inherit; background: rgb(255 255 255 / .16); border: 0;
  border-radius: .4rem; padding: .25rem .7rem; cursor: pointer; }
.playground-upload button:focus-visible { outline: 2px solid #fff; outline-offset: 1px; }
:is(.playground-drop, .playground-upload)[hidden] { display: none; }
/* What can be done with the chosen card is in reach however long the page is. */
[data-testid=stLayoutWrapper]:has(> .st-key-card-actions) { position: sticky; bottom: .7rem; z-index: 50; }
/* What a change did stays in sight on a phone, while one scrolls from the switches to the charts. */
.st-key-outcome { min-height: 1.5rem; font-weight: 600; background: var(--st-background-color, light-dark(#fff, #0f1219)); }
@media (max-width: 640px), (max-height: 500px) {
  [data-testid=stLayoutWrapper]:has(> .stVerticalBlock > [data-testid=stLayoutWrapper] > .st-key-outcome),
    .stVerticalBlock:has(> [data-testid=stLayoutWrapper] > .st-key-outcome):not(.st-key-changed) { display: contents; }
  [data-testid=stLayoutWrapper]:has(> .st-key-outcome) { position: sticky; top: 3.75rem; bottom: 0; z-index: 5; }
}
/* A pair stands at the lower edge of the window while the heads that it belongs to scroll. */
[data-testid=stLayoutWrapper]:has(> .st-key-pair) { position: sticky; bottom: 0; z-index: 5; }
.st-key-pair { background: var(--st-background-color, light-dark(#fff, #191d28)); gap: .4rem; max-height: 48vh;
  overflow-y: auto; padding: .5rem .9rem; }
.st-key-card-actions { background: light-dark(#fff, #191d28); border: 1px solid
  color-mix(in srgb, currentColor 22%, transparent); border-radius: .8rem; padding: .6rem .95rem;
  box-shadow: 0 4px 22px rgb(0 0 0 / .16); }
.st-key-save-run > :has(.soft) { padding-bottom: .55rem; }
.st-key-card-buttons[inert] { opacity: .45; }
.st-key-card-actions .chosen { font-size: 1.05rem; overflow-wrap: anywhere; }
@media (max-width: 640px) {
  .st-key-pair { max-height: 38vh; }
  .st-key-card-actions { padding: .35rem .6rem; border-radius: .8rem .8rem 0 0; }
  [data-testid=stLayoutWrapper]:has(> .st-key-card-actions) { bottom: 0; }
  .stHorizontalBlock.st-key-card-buttons { gap: .3rem; }
  .st-key-card-buttons > * { flex: none !important; width: auto; }
  .st-key-card-buttons .chosen { display: block; max-width: 8rem; overflow: hidden; white-space: nowrap; text-overflow: ellipsis;
    font-size: max(.88rem, var(--least, 0px)); }
  .st-key-card-buttons button { padding: .2rem .55rem; min-height: 2.3rem; white-space: nowrap; }
  .st-key-card-buttons button p { font-size: max(.88rem, var(--least, 0px)); }
  .st-key-card-buttons :is([data-testid=stIconMaterial], span:has(> [data-testid=stIconMaterial])) { display: none; }
  .stHorizontalBlock.st-key-head { gap: .5rem !important; }
  .st-key-head > :is(.st-key-learn-view, .st-key-train-view, .st-key-experiment-view) { order: 1; flex-basis: 100% !important; }
  .st-key-head > :is(.st-key-learn-view, .st-key-experiment-view) { min-height: 4.3rem; } /* two rows, also before they are drawn */
  .st-key-head > :is(.st-key-checkpoints-view, .st-key-step_through-view) { margin-top: .5rem; } /* beside the title: clear of the bar above */
  :is(.st-key-head, .st-key-heads-kind) .stButtonGroup > div { flex-wrap: wrap; row-gap: .3rem; }
  .stVerticalBlock.st-key-dock { max-height: 34dvh; overflow-y: auto; gap: .4rem; font-size: max(.9rem, var(--least, 0px)); }
  .st-key-dock > [data-testid=stLayoutWrapper] > .stVerticalBlock { padding: .4rem .6rem; }
}
.st-key-assignment-receipt code { font-size: 1.6rem; letter-spacing: .05em; }
.lesson-row h2 { font-size: 1.05rem; padding: 0; margin: 0; }
.lesson-title h2 { font-size: 1.6rem; padding: 0 0 .2rem; margin: 0; }
.predict { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem; }
.ask-room { font: inherit; font-size: max(.85rem, var(--least, 0px)); min-height: 1.75rem; padding: .1rem .6rem; color: inherit; cursor: pointer;
  border: 1px solid color-mix(in srgb, currentColor 45%, transparent); border-radius: .4rem; background: none; }
.ask-room:is(:hover, :focus-visible) { outline: 2px solid currentColor; outline-offset: 1px; }
html:not([data-room=host]) .ask-room { display: none; }
.lesson-part { font-size: max(.8rem, var(--least, 0px)); letter-spacing: .06em; text-transform: uppercase; padding: .2rem 0 0; margin: 0; opacity: .75; }
:is([class*=st-key-text-], [class*=st-key-question-], [class*=st-key-answer-]) .stMarkdown { max-width: 50rem; }
html:not([data-present]) [class*=st-key-slide-title-] { display: none; }
html:not([data-present]) .stVerticalBlock[class*=st-key-block-] { margin-top: 1rem; padding-top: 1.2rem;
  border-top: 1px solid color-mix(in srgb, currentColor 14%, transparent); }
@media (min-width: 900px) {
  /* The question stands beside its text, and what explains an answer beside the answer. */
  .stVerticalBlock:is([class*=st-key-block-], [class*=st-key-beside-]) { flex-direction: row; gap: 2.5rem; }
  .stVerticalBlock:is([class*=st-key-block-], [class*=st-key-beside-]) > * { flex: 1 1 0; min-width: 0; }
  .stVerticalBlock:is([class*=st-key-block-], [class*=st-key-beside-]) > :has(> :is([class*=st-key-question-], [class*=st-key-why-])) { flex: 0 1 36%; }
  [data-present] .stVerticalBlock[class*=st-key-beside-] > :has(> [class*=st-key-why-]) { flex: 0 1 28%; }
  /* A slide has to hold live parts of both. */
  [data-present] .stVerticalBlock[class*=st-key-below-] { flex-direction: row; gap: 2.5rem; }
  [data-present] .stVerticalBlock[class*=st-key-below-] > * { flex: 1 1 0; min-width: 0; }
  [data-present] .stVerticalBlock[class*=st-key-below-] > :has(> [class*=st-key-why-]) { flex-grow: 1.3; }
}
:is([class*=st-key-text-], [class*=st-key-answer-]) .stButtonGroup > div { flex-wrap: wrap; row-gap: .3rem; }
:is([class*=st-key-text-], [class*=st-key-answer-]) .stElementContainer:has(.stSlider) { min-width: 12rem; }
@media (max-width: 640px) {
  :is([class*=st-key-text-], [class*=st-key-answer-]) table.examples td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 6.5rem; }
}
.strip { display: flex; flex-wrap: wrap; gap: .35rem; }
.run { display: inline-flex; flex-wrap: wrap; gap: .15rem; padding: .1rem .25rem .25rem; border-radius: .4rem;
  border: 1.5px solid var(--of-run); background: color-mix(in srgb, var(--of-run) 16%, transparent); }
.run > .small { flex-basis: 100%; white-space: nowrap; }
.run > .tok { background: none; padding-inline: .1rem; }
.run-0 { --of-run: #4f46b8; }
.run-1 { --of-run: #d97706; }
.run-2 { --of-run: #0f9f8a; }
.run-3 { --of-run: #b3478f; }
.run-4 { --of-run: #2b7fc4; }
.run-5 { --of-run: #7a8b1f; }

/* In forced colours, what a background shows stays, and what is chosen has a frame in the system's colour. */
@media (forced-colors: active) {
  :is(.amount, .tok.wrong, .run, .role, .difference) { forced-color-adjust: none; }
  :is([aria-selected=true], [data-selected=true], [aria-checked=true], [aria-current=true]) { outline: 2px solid Highlight; outline-offset: -2px; }
  .stSlider :has(> [data-testid=stSliderThumbValue]) { outline: 2px solid ButtonText; }
}

/* On paper: what is read, without what is pressed. What stands beside each other on a screen stands below each other. */
@page { margin: 12mm; }
@media print {
  :root { print-color-adjust: exact; }
  .stAppHeader, [data-testid=stSkipToContent], .stSidebar, .stToastContainer, body > [class^=playground-],
    .stHorizontalBlock.st-key-presenter, [data-testid=stTooltipIcon], .stExpander details:not([open]), .page-foot,
    .stMain :is(.stButton, .stFormSubmitButton, .stPopover, .stCheckbox, .stSlider),
    .stElementContainer:has(> .stButtonGroup):not(.st-key-marked-row),
    .stMain :is(.st-key-lesson-head, .st-key-control, .st-key-next, .st-key-more, .st-key-outline, .st-key-onward) { display: none !important; }
  .stMain .stMainBlockContainer { padding: 0; }
  .stMain [data-testid=stLayoutWrapper], .stMain .st-key-map { position: static; }
  .stMain :is(.stVerticalBlock, .stHorizontalBlock, .stElementContainer, .finding, [role=tabpanel]) { min-height: 0 !important; }
  .finding { height: auto; overflow: visible; }
  .table-wrap, .scroller, .matrix, .stMain .katex-display { animation: none; overflow: visible; }
  .stMain .stHorizontalBlock:has(> .stColumn .stBidiComponent) { flex-direction: column; }
  .stMain .stHorizontalBlock:has(> .stColumn .stBidiComponent) > .stColumn { width: 100%; min-width: 100%; flex: none; }
  .stMain .st-key-architecture { width: 8.5cm; max-height: none; aspect-ratio: auto; align-self: start; }
  .stMain .toks { flex-wrap: wrap; }
  .stMain :is(h1, h2, h3, h4) { break-after: avoid; }
  .stMain :is(.stAlert, .stRadio, .stTextInput, .stHtml, .katex-display, pre, tr, figure, .st-key-architecture),
    .stMain :is([class*=st-key-question-], [class*=st-key-lesson-], [class*=st-key-live-]) { break-inside: avoid; }
}
`});var Ec,Tc=b(()=>{Ec=`/* One row for each sublayer, its heads as buttons. */
.switches {
  overflow-x: auto;
}
th {
  font-weight: 500;
  padding: 0.1rem 0.8rem 0.1rem 0;
  white-space: nowrap;
}
td {
  padding: 0.1rem 0;
}
.part {
  align-items: baseline;
  border: 1px solid var(--st-border-color);
  display: inline-flex;
  gap: 0.3rem;
  justify-content: center;
  margin: 0.1rem 0.3rem 0.1rem 0;
  min-height: 1.75rem;
  min-width: 2.4rem;
}
.part[aria-pressed="true"] {
  background: color-mix(in srgb, #c8590b 24%, transparent);
  border-color: #c8590b;
}
.part[data-mark="off"] > span {
  text-decoration: line-through;
}
/* Not a part of the name of the button: its description says it. */
.part[aria-pressed="true"]::after {
  content: attr(data-mark) / "";
  font-weight: 650;
}
@media (max-width: 640px) {
  tr,
  th,
  td {
    display: block;
  }
}
`});var Lc={};k(Lc,{default:()=>df});var df,jr,Sc=b(()=>{Ze();B();Tc();Ke();z();C();df=M([ee,A,Ec],n=>new jr(n),(n,{data:e,setStateValue:t})=>{n.acts.adopt(e,s=>t("acts",s)),n.show(e)}),jr=class{box;acts=new V;buttons=new Map;structure="";adds="";constructor(e){this.box=e.querySelector(".switches")}close(){this.acts.release(),this.box.replaceChildren(),this.structure=""}show({rows:e,adds:t}){this.adds=t;let s=JSON.stringify(e.map(({label:r,parts:i})=>[r,i.map(({site:a})=>a)]));s!==this.structure&&this.build(e),this.structure=s;let o=new Set(this.acts.pending.map(([,,r])=>r));for(let r of e.flatMap(({parts:i})=>i))o.has(r.site)||this.mark(r.site,r.mark)}build(e){this.buttons.clear();let t=e.map(({label:o,parts:r})=>{let i=c("th","small",o,{scope:"row"}),a=r.map(l=>{let d={ariaLabel:l.words,title:l.words},m=x("part",c("span","",l.label),()=>this.press(l.site),d);return this.buttons.set(l.site,m),m});return c("tr","",i,c("td","",...a))}),s=c("table","",c("caption","unseen","Parts of the model"),c("tbody","",...t));this.box.replaceChildren(s)}press(e){let t=this.buttons.get(e)?.getAttribute("aria-pressed")==="true";this.mark(e,t?"":this.adds),this.acts.add("switch",e)}mark(e,t){let s=this.buttons.get(e);s.ariaPressed=`${t!==""}`,s.setAttribute("aria-description",t),s.dataset.mark=t}}});var Mc,Cc=b(()=>{Mc=`/* Kept prefixes are filled, dropped ones dashed, and the path to the answer is thick. */
.beam-tree {
  overflow-x: auto;
  padding: 2px;
}
.inside {
  width: max-content;
}
svg {
  display: block;
}
text {
  fill: currentColor;
  font-size: 12.8px; /* in the units of the picture */
}
.token {
  font-family: var(--st-code-font, monospace);
  font-weight: 600;
}
.sum {
  text-anchor: end;
}
.line {
  fill: none;
  stroke: currentColor;
  stroke-opacity: 0.45;
}
.line.best {
  stroke: #1f6fc4;
  stroke-opacity: 1;
  stroke-width: 3;
}
.line.dropped {
  stroke-dasharray: 3 3;
  stroke-opacity: 0.3;
}
rect {
  fill: color-mix(in srgb, currentColor 9%, var(--st-background-color));
  stroke: transparent;
}
.best rect {
  fill: color-mix(in srgb, #1f6fc4 22%, var(--st-background-color));
  stroke: #1f6fc4;
  stroke-width: 2;
}
.dropped rect {
  fill: var(--st-background-color);
  stroke: currentColor;
  stroke-dasharray: 3 3;
  stroke-opacity: 0.4;
}
`});var Ac={};k(Ac,{default:()=>uf});function tn(n,e){return[$c+n*mf,qr+e*pf]}function ff(n,e,{parent:t,kind:s}){let[o,r]=n?tn(n-1,t):[$c-Ds-16,qr],[i,a]=tn(n,e),l=o+Ds,[d,m,h]=[r+nn/2,a+nn/2,(l+i)/2];return D("path",{class:`line ${s}`,d:`M${l} ${d}C${h} ${d} ${h} ${m} ${i} ${m}`})}function gf(n,e,{kind:t,label:s,sum:o,description:r}){let[i,a]=tn(n,e),l=a+nn/2+4;return D("g",{class:`leaf ${t}`},D("title",{},r),D("rect",{x:i,y:a,width:Ds,height:nn,rx:6}),D("text",{class:"token",x:i+7,y:l},te(s)),D("text",{class:"sum",x:i+Ds-6,y:l},o))}var mf,pf,Ds,nn,$c,qr,uf,Ur,Rc=b(()=>{B();Cc();z();C();mf=112,pf=32,Ds=92,nn=26,$c=56,qr=26,uf=M([A,Mc],n=>new Ur(n),(n,{data:e})=>n.show(e));Ur=class{box;constructor(e){this.box=e.querySelector(".beam-tree"),Object.assign(this.box,{tabIndex:0,role:"region",ariaLabel:"Tree of beam search"})}close(){this.box.replaceChildren()}show({columns:e,description:t}){let s=Math.max(...e.map(({nodes:m,more:h})=>m.length+(h?1:0))),[o,r]=tn(e.length,s),i={width:`${o/16}rem`,height:`${r/16}rem`,viewBox:`0 0 ${o} ${r}`},a=D("svg",{role:"img","aria-label":t,...i}),l=D("g",{});a.append(l,D("text",{class:"head",x:4,y:qr+nn/2+4},"start")),e.forEach(({nodes:m,more:h},u)=>{a.append(D("text",{class:"head",x:tn(u,0)[0],y:16},`Round ${u+1}`)),m.forEach((g,w)=>{l.append(ff(u,w,g)),a.append(gf(u,w,g))});let[p,f]=tn(u,m.length);h&&a.append(D("text",{class:"head",x:p,y:f+nn/2+4},`${h} more dropped`))});let d=this.box.scrollLeft;this.box.replaceChildren(c("div","inside",a)),this.box.scrollLeft=d}}});var Nc,Oc=b(()=>{Nc=`/* An answer, and below it a row for each token of the vocabulary. */
.generation {
  container-type: inline-size;
  display: flex;
  flex-direction: column;
  gap: 0.5rem;
}
.answer {
  gap: 0.3rem 0.7rem;
  max-height: 11rem; /* three lines, and a part of a fourth: the probabilities below are of the newest token */
  min-height: 3rem;
  overflow-y: auto;
  scrollbar-width: thin;
}
.answer li {
  align-items: center;
  display: flex;
  flex-direction: column;
}
.answer .tok {
  min-height: 1.75rem;
}
.answer .forced {
  box-shadow: inset 0 0 0 2px #c8590b;
}
.tools {
  gap: 0.4rem;
}
.announcement {
  min-height: 1.4em;
}
.bar {
  align-items: center;
  display: grid;
  gap: 0.5rem;
  grid-template-columns: 3.4rem minmax(2rem, 1fr) 4.6rem;
  text-align: left;
}
.bar.sampled {
  grid-template-columns: 3.4rem minmax(2rem, 1fr) 4.6rem minmax(2rem, 1fr) 5.6rem;
}
.heads {
  padding: 0 0.35rem;
}
.bars {
  max-height: 30rem;
  overflow-y: auto;
}
.choice {
  display: block;
  min-height: 1.75rem;
  padding: 0.05rem 0.35rem;
  width: 100%;
}
.choice .tok {
  justify-self: start;
}
.choice[aria-current] {
  background: color-mix(in srgb, var(--st-primary-color) 12%, transparent);
  box-shadow: inset 0 0 0 1px var(--st-primary-color);
}
.track {
  background: linear-gradient(90deg, #1f6fc4 var(--high), transparent var(--high)),
    color-mix(in srgb, currentColor 9%, transparent);
  border-radius: 0.2rem;
  height: 0.7rem;
}
.track.cut {
  background: linear-gradient(90deg, transparent var(--high), color-mix(in srgb, currentColor 9%, var(--st-background-color)) var(--high)),
    repeating-linear-gradient(135deg, #8a8f9c 0 3px, transparent 3px 6px);
}
.track.drawn {
  background: linear-gradient(90deg, #0f9f8a var(--high), transparent var(--high)),
    color-mix(in srgb, currentColor 9%, transparent);
}
@container (max-width: 460px) {
  .bar.sampled {
    grid-template-columns: 2.6rem minmax(1.5rem, 1fr) 4rem minmax(1.5rem, 1fr) 4rem;
    gap: 0.3rem;
  }
}
`});var Pc={};k(Pc,{default:()=>xf});var wf,Hc,yf,In,xf,Gr,zc=b(()=>{Ze();B();Oc();Ke();ne();z();C();wf=900,Hc="Play tokens",yf={ArrowRight:"next",ArrowLeft:"undo",p:"play",End:"finish",Home:"restart"},In=null;document.addEventListener("keydown",n=>{if(!In?.root.isConnected||!Y(n))return;let e=yf[He(n)];e&&(n.preventDefault(),(!n.repeat||e==="next"||e==="undo")&&In.act(e))});xf=M([ee,A,Nc],n=>new Gr(n),(n,{data:e,setStateValue:t})=>{In=n,n.show(e),n.acts.adopt(e,s=>t("acts",s))}),Gr=class{root;undo=this.tool("Undo","undo","ArrowLeft");next=this.tool("Next token","next","ArrowRight");play=this.tool(Hc,"play","P");finish=this.tool("Finish","finish","End");restart=this.tool("Start over","restart","Home");tools=c("div","tools wrap",this.undo,this.next,this.play,this.finish,this.restart);answer=c("ol","answer wrap",{ariaLabel:"Answer so far"});announcement=c("div","announcement",{role:"status"});heads=c("div","bar heads small soft",{ariaHidden:"true"});bars=c("ol","bars",{ariaLabel:"Probabilities of the token"});more=c("div","small soft");parts=[this.answer,this.tools,this.announcement,this.heads,this.bars,this.more];acts=new V;data;timer=0;playing=!1;constructor(e){this.root=e,e.querySelector(".generation")?.append(...this.parts)}tool(e,t,s){return x("small-button",e,()=>this.act(t),{ariaKeyShortcuts:s})}close(){this.pause(),this.acts.release();for(let e of this.parts)e.remove();In===this&&(In=null)}act(e){if(e==="play")return this.playing?this.pause():this.begin();this.pause(),!((e==="next"||e==="finish")&&this.data.complete)&&((e==="undo"||e==="restart")&&!this.data.answer.length||(e==="restart"?this.acts.add("back","",0):this.acts.add(e)))}begin(){this.data.complete&&this.acts.add("back","",0),this.playing=!0,y(this.play,"Pause tokens"),this.tick()}pause(){clearTimeout(this.timer),this.playing=!1,y(this.play,Hc)}tick(){clearTimeout(this.timer),this.timer=setTimeout(()=>{if(!this.root.isConnected)return this.pause();if(this.acts.pending.length)return this.tick();if(this.data.complete)return this.pause();this.acts.add("next"),this.tick()},wf)}show(e){this.data=e;let{answer:t,complete:s,ended:o,position:r,sampled:i}=e;this.undo.disabled=this.restart.disabled=!t.length,this.next.disabled=this.finish.disabled=s;let a=t.map((p,f)=>this.token(p,f)),l=a.length!==this.answer.querySelectorAll("button").length;de(this.answer,a.length?a:[c("li","soft","No tokens yet")]),l&&(this.answer.scrollTop=this.answer.scrollHeight);let d=e.bars.find(({id:p})=>p===e.chosen),m=i?`sampling probability ${I(d?.drawn??0)}`:I(d?.probability??0),h=`token ${r+1}, “${te(d?.label??"")}” (${m})`;y(this.announcement,o?`The answer is complete: ${h} ends it.`:s?`The answer has reached its maximum length. It ends with ${h}.`:`Next: ${h}. Click another token to use it instead.`);let u=["token","probability, 0 to 100 %","",...i?["sampling probability",""]:[]].map(p=>c("span","",p));this.heads.replaceChildren(...u),this.heads.classList.toggle("sampled",i),this.bars.replaceChildren(...e.bars.map(p=>this.bar(p))),y(this.more,e.more?`${e.more} more tokens have ${I(e.rest)} together.`:"")}token({label:e,forced:t,probability:s},o){let r=c("span","",te(e)),i=`${te(e)}, token ${o+1}, ${I(s)}${t?", forced":""}`,a=x(`tok${t?" forced":""}`,r,()=>{this.pause(),this.acts.add("back","",o)},{ariaLabel:`${i}. Remove it and all later tokens`,title:`${i}. Click to remove it and all later tokens.`});return c("li","",a,c("span","small soft",t?"forced":I(s)))}bar({id:e,label:t,probability:s,drawn:o,cut:r}){let{chosen:i,position:a,sampled:l}=this.data,d=(f,g)=>{let w=c("span",`track ${g}`);return w.style.setProperty("--high",`${100*f}%`),w},m=f=>c("span","unseen",f),h=[m("Force "),c("span","tok",te(t)),d(s,r&&"cut")];h.push(m(": probability "),c("span","",I(s))),l&&(h.push(d(o,"drawn"),m(r?", ":", sampling probability ")),h.push(c("span",r?"soft":"",r?`cut by ${r}`:I(o))));let u=c("span",`bar${l?" sampled":""}`,...h),p=x("choice",u,()=>{this.pause(),this.acts.add("force","",[a,e])},{ariaCurrent:e===i?"true":null});return c("li","",p)}}});var Dc,Ic=b(()=>{Dc=`/* The KV cache: a row for each kind of attention, and a pair of bars for each token. */
.cache {
  --new: #c8590b;
  border-top: 1px solid var(--st-border-color);
  container-type: inline-size;
  padding-top: 0.75rem;
}
.cache :is(h2, h3, p) {
  margin: 0 0 0.4rem;
}
.cache .small {
  font-size: max(0.85rem, var(--least, 0px));
}
.cache h2 {
  font-size: 1.1rem;
}
.cache h3 {
  font-size: max(0.9rem, var(--least, 0px));
  margin-top: 0.9rem;
}
.cache-rows {
  display: grid;
  gap: 0.4rem 1rem;
  grid-template-columns: minmax(6rem, auto) minmax(0, 1fr) minmax(0, 1fr);
  margin-bottom: 0.5rem;
}
.cells {
  display: flex;
  flex-wrap: wrap;
  gap: 0.15rem;
}
.cell {
  background: color-mix(in srgb, currentColor 9%, transparent);
  border-radius: 0.25rem;
  font: 600 max(0.8rem, var(--least, 0px))/1.5 var(--st-code-font, monospace);
  min-width: 1.1rem;
  padding: 0 0.2rem;
  text-align: center;
}
.cell.new {
  outline: 2px solid var(--new);
  outline-offset: -2px;
}
.swatch {
  background: color-mix(in srgb, currentColor 9%, transparent);
  border-radius: 0.2rem;
  display: inline-block;
  height: 0.9rem;
  margin-right: 0.35rem;
  vertical-align: -0.1rem;
  width: 0.9rem;
}
.swatch:not(:first-child) {
  margin-left: 0.9rem;
}
.swatch.new {
  box-shadow: inset 0 0 0 2px var(--new);
}
:is(i, .swatch).with {
  background: #1f6fc4;
}
:is(i, .swatch).without {
  background: repeating-linear-gradient(135deg, #8a8f9c 0 3px, color-mix(in srgb, #8a8f9c 45%, transparent) 3px 6px);
}
.cache-costs {
  align-items: end;
  border-bottom: 1px solid currentColor;
  display: grid;
  gap: 2px;
  grid-template-columns: repeat(var(--tokens), minmax(0, 4rem));
  height: 7rem;
  margin-bottom: 0.5rem;
}
.cache .pair {
  align-items: end;
  display: flex;
  gap: 1px;
  height: 100%;
}
.cache .pair i {
  flex: 1;
  min-height: 1px;
}
@media (forced-colors: active) {
  .cell,
  .swatch,
  .pair i {
    forced-color-adjust: none;
  }
}
@container (max-width: 460px) {
  .cache-rows {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
  }
  .cache-rows > :first-child {
    display: none;
  }
  .cache-rows > :nth-child(3n + 4) {
    grid-column: 1 / -1;
  }
}
`});var jc={};k(jc,{default:()=>Tf});function Bc({tokens:n},e){let t=e<n.length?`${n.length-e} computed${e?`, ${e} kept`:""}`:`all ${e} kept`,s=n.map((o,r)=>c("span",`cell${r<e?"":" new"}`,te(o)));return c("div","cache-strip",c("div","cells",...s),c("div","small soft",t))}function Wc(n,e){let t=c("i",n);return t.style.height=`${100*e}%`,t}var vf,Tf,_r,Uc=b(()=>{B();Ic();z();C();vf=4,Tf=M([A,Dc],n=>new _r(n),(n,{data:e})=>n.show(e)),_r=class{summary=c("p","small");rows=c("div","cache-rows");costs=c("div","cache-costs",{role:"img"});top=c("div","small soft");total=c("p","small");constructor(e){e.querySelector(".cache")?.replaceChildren(c("h2","","KV cache"),this.summary,this.rows,c("p","small",c("span","swatch new"),"computed for this token ",c("span","swatch"),"kept from earlier tokens"),c("h3","","Multiplications for each token, in decoder and output layer"),this.top,this.costs,c("p","small",c("span","swatch with"),"with a KV cache ",c("span","swatch without"),"without one"),this.total)}close(){}show({possible:e,rows:t,layers:s,numbers:o,cost:[r=[],i=[]]}){let a=s>1?`Each of the ${s} decoder layers`:"The decoder layer";this.summary.textContent=e?`${a} keeps a key and a value of every position below: ${G(o)} numbers, ${G(o*vf)} bytes in all.`:"This model can't use a KV cache: without a causal mask, each new token changes the keys and values of earlier positions.",this.rows.replaceChildren(c("span",""),c("span","small soft","with a KV cache"),c("span","small soft","without one"),...t.flatMap(h=>[c("span","small",`${h.name}, keys and values`),Bc(h,h.kept),Bc(h,0)]));let l=Math.max(...i);this.top.textContent=`Height of the bars: 0 to ${G(l)}`,this.costs.style.setProperty("--tokens",String(i.length)),this.costs.replaceChildren(...i.map((h,u)=>{let p=c("span","pair",Wc("with",r[u]/l),Wc("without",h/l));return p.title=`Token ${u+1}: ${G(r[u])} with a KV cache, ${G(h)} without`,p}));let[d,m]=[r,i].map(h=>h.reduce((u,p)=>u+p,0));this.total.textContent=`${i.length>1?`Tokens 1 to ${i.length} together, with the next one`:"Token 1"}: ${G(d)} with a KV cache, ${G(m)} without one`+(m>d?`, ${(m/d).toFixed(1)} times as many.`:"."),this.costs.ariaLabel=`The last token takes ${I(r[i.length-1]/i[i.length-1])} of the multiplications that it takes without a KV cache.`}}});var Gc,qc=b(()=>{Gc=`/* Formula, statement and tensor side by side; below each other where it is narrow. */
.formula-rows {
  container-type: inline-size;
}
.row {
  border-top: 1px solid var(--st-border-color);
  display: grid;
  gap: 0.5rem 1.25rem;
  grid-template-columns: minmax(0, 5fr) minmax(0, 6fr) minmax(12rem, 3fr);
  padding: 0.7rem 0;
}
h2 {
  font-size: 1em;
}
.open {
  font-weight: 650;
  padding: 0.15rem 0;
  text-decoration: underline;
  text-underline-offset: 0.2em;
}
.formula {
  font-size: 1.15em;
  overflow-x: auto;
  padding: 0.25rem 0;
}
.statement {
  background: var(--st-secondary-background-color);
  border-radius: 0.4rem;
  font-family: var(--st-code-font, monospace);
  overflow-wrap: anywhere;
  padding: 0.4rem 0.6rem;
  white-space: pre-wrap;
}
.tensor .shape {
  white-space: normal;
}
.where {
  overflow-wrap: anywhere;
}
.one-head {
  gap: 0.75rem 1.5rem;
}
figcaption .name {
  display: inline-block;
}
.symbols table {
  width: 100%;
}
@container (max-width: 760px) {
  .row {
    grid-template-columns: minmax(0, 1fr);
  }
}
`});var Bs,Fr=b(()=>{Bs=`.picture {
  border: 1px solid var(--st-border-color);
  image-rendering: pixelated;
  margin-top: 0.3rem;
}
`});var _c={};k(_c,{picture:()=>sn});function sn(n,e,{head:t=0,long:s=Sf,most:o=0,label:r=""}={}){let{rows:{count:i},columns:{count:a},cells:l,values:d,kind:m}=n,h=Array.from(d).reduce((w,v)=>Number.isFinite(v)?Math.max(w,Math.abs(v)):w,0),u={kind:m==="tokens"?"signed":m,coloured:!0,most:o||h||1},p=d.subarray(t*l,(t+1)*l),f=$t(c("canvas","picture"),Mt({...u,rows:i,columns:a,values:p},e)),g=Math.min(Cf,s/Math.max(i,a));return f.style.width=`${a*g}px`,f.style.height=`${Math.max(3,i*g)}px`,Object.assign(f,r?{role:"img",ariaLabel:r}:{ariaHidden:"true"})}var Sf,Cf,Ws=b(()=>{ge();C();Sf=180,Cf=10});var Fc={};k(Fc,{default:()=>Mf,head:()=>$f,symbols:()=>Af});function $f({data:n,parentElement:e}){Pe(e,Vr);let{tensors:t,names:s}=_(n),o=W(e);e.querySelector(".one-head").replaceChildren(...t.map((i,a)=>c("figure","",c("figcaption","",Dn("name",s[a]),` (${i.rows.size}, ${i.columns.size})`),sn(i,o))))}function Af({data:n,parentElement:e}){Pe(e,Vr),e.querySelector(".symbols").replaceChildren(Dn("",n.table))}function Dn(n,e){let t=c("div",n);return t.innerHTML=e,t}var Vr,Mf,Kr,Kc=b(()=>{Ze();B();qc();Fr();ge();ze();z();ie();C();Ws();Vr=[ee,A,Bs,Gc],Mf=M(Vr,n=>new Kr(n),(n,{data:e,setTriggerValue:t})=>{n.open=s=>t("open",s),n.show(_(e))});Kr=class{root;list;sizes=new ResizeObserver(()=>this.reach());open=()=>{};constructor(e){this.root=e,this.list=e.querySelector(".formula-rows"),this.sizes.observe(this.list)}reach(){this.list.querySelectorAll(".formula").forEach((e,t)=>{let s=e.scrollWidth>e.clientWidth,o={tabindex:"0",role:"region","aria-label":`Formula ${t+1}`};for(let[r,i]of Object.entries(o))s?e.setAttribute(r,i):e.removeAttribute(r)})}close(){this.sizes.disconnect(),this.list.replaceChildren()}show({tensors:e,rows:t}){let s=W(this.root);this.list.replaceChildren(...t.map((o,r)=>{let i=x("open",o.title,()=>this.open(o.name),{title:"Open in Step through"}),a=o.repeated>1?c("span","soft",`, ${o.repeated} times`):null,l=c("div","where small soft",`${o.owner} · ${o.file}`);return c("article","row",c("div","what",c("h2","",i,a),Dn("formula",o.formula),c("div","small soft",o.source)),c("div","code",Dn("statement",o.statement),l),c("div","tensor",Dn("size small",o.shape),sn(e[r],s)))})),this.reach()}}});var on,js=b(()=>{on=`.matrix {
  max-width: 100%;
  overflow: auto;
}
.matrix table {
  border-collapse: separate;
  border-spacing: 2px;
}
.matrix caption {
  font-weight: 600;
  padding-bottom: 0.2rem;
  text-align: left;
}
.matrix td {
  border-radius: 0.2rem;
  padding: 0.15rem 0.45rem;
  text-align: right;
  white-space: nowrap;
}
.matrix th {
  font-weight: 500;
  padding: 0 0.4rem;
  white-space: nowrap;
}
.matrix thead th {
  text-align: right;
}
`});var Jc,Vc=b(()=>{Jc=`input {
  appearance: textfield;
  min-height: 0;
  padding: 0.15rem 0.25rem;
  width: clamp(2.9rem, 13vw, 3.3rem);
}
td {
  padding: 0 !important;
}
`});var Xc={};k(Xc,{matrix:()=>Pt});function Pt(n,e,{rows:t,columns:s,caption:o="",corner:r=""}){let i=(m,h)=>c("th","small",m,{scope:h}),a=s&&c("tr","",t&&c(r?"th":"td","small",r),...s.map(m=>i(m,"col"))),l=e.map((m,h)=>c("tr","",t&&i(t[h],"row"),...m)),d=c("table","",o&&c("caption","small",o),a&&c("thead","",a),c("tbody","",...l));return qt("matrix",n,d)}var Bn=b(()=>{C()});var Yc={};k(Yc,{default:()=>Nf});var Nf,Jr,Qc=b(()=>{Ze();B();js();Vc();z();C();Bn();Nf=M([ee,A,on,Jc],n=>new Jr(n),(n,{data:e,setStateValue:t})=>{n.tell=s=>t("cells",s),n.show(e)}),Jr=class{box;shown="";fields=[];tell=()=>{};constructor(e){this.box=e.querySelector(".grid")}close(){this.box.replaceChildren()}show(e){let t=JSON.stringify(e);if(this.shown===t)return;this.shown=t,this.fields=e.values.map((o,r)=>o.map((i,a)=>this.field(e,i,r,a)));let s=this.fields.map(o=>o.map(r=>c("td","",r)));this.box.replaceChildren(Pt(e.label,s,{rows:e.rows,caption:e.label}))}field({label:e,rows:t,bound:s},o,r,i){let a=`${e}, ${t[r]}, number ${i+1}`,l={step:"0.1",min:`${-s}`,max:`${s}`,value:`${Number(o.toFixed(4))}`},d=c("input","",{type:"number",...l,ariaLabel:a});return d.addEventListener("change",()=>{let m=Math.min(Math.max(Number(d.value)||0,-s),s);d.value=`${m}`,this.tell(this.fields.map(h=>h.map(u=>Number(u.value))))}),d}}});var pd={};k(pd,{Fields:()=>ut,Live:()=>Ce,listen:()=>rn});function rn(n,e){let t=pt.get(n);t||pt.set(n,t={version:0,listeners:new Set,whole:null});let{listeners:s,whole:o}=t;return o?e(o):[t.version,Yr]=[0,!0],s.add(e),Us(Zc),()=>{s.delete(e),Us(Zc)}}function Us(n){clearTimeout(je.open),je.open=setTimeout(rd,n)}function rd(){for(let[e,{listeners:t}]of pt)t.size||pt.delete(e);let n=[...pt.keys()].sort().join(`
`);Wn&&n===Xr&&!Yr||(qs(),[Xr,Yr]=[n,!1],!(!pt.size||document.hidden&&Qr)&&(Wn=performance.now()<ei?Gf():Uf()))}function qs(){Wn?.(),Wn=null,clearTimeout(je.watch)}function ti(){qs(),rd()}function id(){qs(),Us(dd())}function Uf(){let n=new EventSource(hd());return cd(nd,()=>ld("")),n.onmessage=({data:e})=>{td(),md(e)},n.addEventListener("beat",td),n.onerror=()=>{if(n.readyState!==EventSource.CLOSED)return id();clearTimeout(je.watch),Wn=qf()},()=>n.close()}function qf(){let n=new AbortController;return ad("",n.signal).then(e=>{n.signal.aborted||(e?.status===429?ld(e.text):id())}),()=>n.abort()}function Gf(){let n=new AbortController,e=0,t=async()=>{let s=await ad("&once=1",n.signal);if(n.signal.aborted)return;let o=s?.status===200;if(o){Zr=0;for(let r of s.text.split(`
`))r.startsWith("data: ")&&md(r.slice(6))}if(performance.now()>=ei)return ti();e=setTimeout(t,o?od?zf:Pf:dd())};return t(),()=>{n.abort(),clearTimeout(e)}}async function ad(n,e){try{let t=await fetch(hd(n),{signal:AbortSignal.any([e,AbortSignal.timeout(nd)])});return{status:t.status,text:await t.text()}}catch{return null}}function ld(n){ei=performance.now()+Df*2**Math.min(sd++,Bf),od=!!n,ni(n),ti()}function td(){Zr=sd=0,ni(""),cd(Hf,ti)}function ni(n){clearTimeout(je.notice),y(jf,n),n&&(je.notice=setTimeout(ni,If,""))}function cd(n,e){clearTimeout(je.watch),je.watch=setTimeout(e,n)}function dd(){return ed[Math.min(Zr++,ed.length-1)]*(1+Math.random()/2)}function hd(n=""){let e=new URLSearchParams([...pt].map(([t,{version:s}])=>["c",`${t}@${s}`]));return new URL(`./live?${e}${n}`,document.baseURI)}function md(n){let e=JSON.parse(n),t=pt.get(e.channel);if(t){if(e.version?t.version=e.version:e.gone&&([t.version,t.whole]=[1,null]),e.fields){let s=e.whole?{}:t.whole?.fields;t.whole={...e,whole:!0,fields:{...s,...e.fields}}}for(let s of[...t.listeners])try{s(e)}catch(o){console.error(o)}}}var Zc,Hf,nd,Pf,zf,If,Df,Bf,Wf,ed,pt,Wn,Xr,Yr,Zr,sd,ei,od,je,Qr,jf,ut,Ce,Ue=b(()=>{C();Zc=30,Hf=12e4,nd=5e3,Pf=1e3,zf=3e3,If=8e3,Df=6e4,Bf=6,Wf=5e3,ed=[500,1e3,2e3,4e3,8e3],pt=new Map,Wn=null,Xr="",Yr=!1,Zr=0,sd=0,ei=0,od=!1,je={open:0,watch:0,hide:0,notice:0},Qr=!1,jf=tt();document.addEventListener("visibilitychange",()=>{if(clearTimeout(je.hide),Qr=!1,!document.hidden)return Us(0);je.hide=setTimeout(()=>{Qr=!0,qs(),Xr=""},Wf)});ut=class{close;values={};at=0;gone=!1;constructor(e,t){let s=!1;this.close=rn(e,o=>{this.gone=!!o.gone,o.gone||(this.values=o.whole?o.fields:{...this.values,...o.fields},this.at=o.at),s&&t()}),s=!0}},Ce=class{changed;channel="";at=0;now={};fields=null;constructor(e){this.changed=e}show({channel:e,at:t,now:s}){e!==this.channel&&(this.close(),this.fields=e?new ut(e,this.changed):null),Object.assign(this,{channel:e,at:t,now:s})}get isNewer(){return this.fields!==null&&this.fields.at>this.at}get values(){return this.fields&&this.isNewer?this.fields.values:this.now}close(){this.fields?.close()}}});var fd={};k(fd,{Store:()=>jn,after:()=>ft,nearest:()=>we,smoothed:()=>ri,storeOf:()=>si,storeOfCheckpoint:()=>oi});function si(n,e){let t=ud.get(n);return t||ud.set(n,t=new jn),t.users.size||(t.unlisten=rn(`curves/${n}`,s=>t.take(s))),t.users.add(e),t}function oi(n,e){let t=new jn;return t.users.add(e),t.fetch(new URL(`./library/${encodeURIComponent(n)}/curves`,document.baseURI)),t}function ft(n,e){let t=0,s=n.length;for(;t<s;){let o=t+s>>1;n[o]<=e?t=o+1:s=o}return t}function we(n,e){if(e===null||!n.length)return n.length-1;let t=ft(n,e);return t===0?0:t===n.length?t-1:n[t]-e<e-n[t-1]?t:t-1}function ri({steps:n,values:e},t){if(!t)return e;let s=0,o=0,r=n[0];return e.map((i,a)=>{let l=Math.exp((r-n[a])/t);return r=n[a],s=s*l+i,o=o*l+1,s/o})}var _f,Ff,Kf,ud,jn,zt=b(()=>{Xe();Ue();_f=1e4,Ff="This run no longer exists.",Kf="Server not responding. Retrying ...",ud=new Map;jn=class{version=0;tables={};more={};problem="";users=new Set;unlisten=null;#e=new Map;leave(e){this.users.delete(e),this.users.size||this.unlisten?.()}async fetch(e){try{let t=await fe(e,_f);if(t.ok)return this.take(await t.json());this.problem=await t.text()}catch{this.problem=Kf}for(let t of this.users)t()}take({channel:e,version:t,gone:s,tables:o={},...r}){this.problem=s?Ff:"",this.version=t;for(let[i,{all:a,gone:l,rows:d}]of Object.entries(o)){let m=a?[]:this.tables[i]??[],h=new Set(l);this.tables[i]=[...h.size?m.filter((u,p)=>!h.has(p)):m,...d]}this.more={...this.more,...r},this.#e.clear();for(let i of this.users)i()}rows(e,t){let s=this.tables[e]??[],o=t??1/0;return(s.at(-1)?.[0]??0)<=o?s:s.filter(([r])=>r<=o)}column(e,t,s,o={}){let r=`${e} ${t}`,i=this.#e.get(r);if(!i){let d=(this.tables[e]??[]).filter(h=>h[t]!==null&&h[t]!==void 0),m=Object.entries({steps:0,values:t,...o});i=Object.fromEntries(m.map(([h,u])=>[h,d.map(p=>p[u])])),this.#e.set(r,i)}let a=s??1/0;if((i.steps.at(-1)??0)<=a)return i;let l=ft(i.steps,a);return Object.fromEntries(Object.entries(i).map(([d,m])=>[d,m.slice(0,l)]))}}});var bd={};k(bd,{chartTheme:()=>ii,colourOf:()=>It,config:()=>ai,dashOf:()=>Un});function ii(n,e){let t=W(n),s=document.documentElement.hasAttribute("data-present")?1.25:1,o=t.scale*s,r=t.background[0]+t.background[1]+t.background[2]<384;return{...t,scale:o,dark:r,fontSize:11*o,colours:e[r?"dark":"light"],room:{left:Math.round(42*o),right:Math.round(10*o),top:Math.round(7*o),bottom:Math.round(32*o)},right:r?{fill:"#2a9d95",ink:"#06201e"}:{fill:"#0b7f7a",ink:"#fff"},wrong:r?{fill:"#43262a",ink:"#ff9d94"}:{fill:"#fbe3e0",ink:"#b3261e"}}}function It(n,e){return n.colours[e%n.colours.length]}function Un(n){return gd[n%gd.length]}function ai(n){let{labels:e,ink:t,fontSize:s,family:o,scale:r}=n,i=re(lt(n.background,[128,128,128],.28)),a=re(lt(n.background,[128,128,128],.6));return{autosize:{type:"none"},padding:n.room,background:null,font:o,view:{stroke:null},axis:{labelColor:e,labelFontSize:s,labelPadding:4*r,titleColor:e,titleFontSize:s,titleFontWeight:"normal",titlePadding:0,labelLimit:n.room.left-6,tickColor:a,tickSize:4*r,domainColor:a,gridColor:i},axisX:{labelFlush:!0,labelLimit:80*r},text:{color:t,fontSize:s,font:o},rule:{color:t},range:{heatmap:n.probability.map(re),ramp:n.probability.map(re)}}}var gd,Gs=b(()=>{ge();gd=[[1,0],[6,3],[2,2],[9,3,2,3],[12,4],[4,2,1,2],[1,3],[14,3,4,3]]});var vd={};k(vd,{Chart:()=>an,Panel:()=>gt,figure:()=>kd,ownStyle:()=>di});function Qf(n){let e=yd.then(n);return yd=e.then(()=>new Promise(t=>setTimeout(t,Vf)),()=>{}),e}function kd(n){if(n===0)return"0";let e=Math.abs(n);return e<1e-4||e>=1e5?n.toExponential(2):e>=100?n.toFixed(1):String(Number(n.toPrecision(4)))}function Zf({low:n,high:e},t){let[s,o]=[n?.[t],e?.[t]];return typeof s=="number"&&typeof o=="number"?[s,o].map(r=>I(r).replace(" %","")).join("-"):""}function ci(n){return n?`${n.toLocaleString("en-US")} ${n===1?"sequence":"sequences"}`:""}function xd(n){return n.reduce((e,{steps:t})=>t.length>e.length?t:e,[])}function eg({name:n,colour:e,dash:t}){let s=c("span","item");s.innerHTML='<svg viewBox="0 0 18 8" aria-hidden="true"><path d="M0 4h18"/></svg>';let o=s.querySelector("path");o&&Object.assign(o.style,{stroke:e,strokeDasharray:t.join(" ")});let r=c("b"),i=c("small"),a=c("span");return n&&s.append(c("span","name cut",n,{title:n})),i.append(a),s.append(r,i),{node:s,value:r,apart:a}}function di(n,e){return{colour:It(n,e),dash:e?[[1,0],[6,3],[2,2],[9,3,2,3]][e%4]:[1,0]}}var Vf,li,Jf,Xf,wd,Yf,yd,gt,an,qn=b(()=>{zt();Gs();ne();oe();C();Vf=16,li=4,Jf=40,Xf=6,wd=12,Yf=13,yd=Promise.resolve();gt=class{board;panel;node;title;unit;tested=c("span","tested");step=c("span","step soft");legend=c("div","legend cut");plot=c("div","plot");constructor(e,t){this.board=e,this.panel=t;let s=t.kind==="lines"&&t.measures.some(([r])=>e.library?.measures[r].grouped);this.node=c("section",`panel ${t.name}${t.share?" share":""}${s?" grouped":""}`),this.node.dataset.kind=t.kind,this.node.style.setProperty("--width",String(t.width)),this.node.dataset.panel=t.name,this.node.setAttribute("aria-label",t.title),this.title=c("h2","cut",t.title,{title:t.help??""}),this.unit=c("span","",t.unit);let o=c("div","scale soft",this.unit,this.tested);this.node.append(c("header","",this.title,this.step,o),this.legend,this.plot)}},an=class extends gt{picture=c("div","picture");rule=c("div","rule");chip=c("div","chip");brush=c("div","brush");dots=c("div","dots");points=c("div","dots asked");empty=c("div","empty","Appears after the next evaluation.");series=[];items=[];named="";cells=null;vega=null;key="";room=0;width=0;height=0;logged=!1;pointed;finalize;constructor(e,t){super(e,t),this.plot.append(this.picture,this.brush,this.rule,this.dots,this.points,this.chip,this.empty),Object.assign(this.plot,{tabIndex:0,role:"slider",ariaLabel:`${t.title}, by step`}),this.listen()}close(){this.key="closed",this.finalize?.(),this.node.remove()}setLines(e){this.series=e;let t=e.map(({key:s,name:o,colour:r,dash:i})=>[s,o,r,i]);JSON.stringify(t)!==this.named&&(this.named=JSON.stringify(t),this.items=e.map(eg),this.legend.replaceChildren(...this.items.map(s=>s.node)),this.dots.replaceChildren(...e.map(({colour:s})=>{let o=c("i");return o.style.background=s,o})))}setCells(e){this.cells=e}get steps(){return this.cells?.steps??xd(this.series.filter(({beside:e})=>!e))}get reach(){return this.cells?.steps??xd(this.series)}get margins(){let{room:e,scale:t}=this.board.theme;return{...e,top:e.top+(this.panel.kind==="lines"?this.board.lanes*wd*t:0)}}measure(){let{left:e,right:t,top:s,bottom:o}=this.margins;this.room=this.plot.clientWidth,this.width=Math.max(10,this.room-e-t),this.height=Math.max(10,this.plot.clientHeight-s-o)}draw(){let{board:e}=this;if(this.empty.hidden=this.steps.length>0,!this.room||(this.prepare(),!this.vega))return;let{first:t,last:s}=e.axis,o=this.cells?this.cellRows(this.cells,t,s):this.lineRows(t,s);this.vega.padding(this.margins).width(this.width).height(this.height).signal("first",t).signal("last",s).data("rows",o).data("changes",e.changes()).run(),this.mark(),this.point(e.step)}async prepare(){let{board:e,panel:t}=this,{theme:s,library:o}=e;if(!o)return;let r=!!(t.log&&e.look.log),i=JSON.stringify([e.themeKey,r,this.named??"",!!this.asked]);if(i===this.key)return;this.key=i;let a=t.kind==="lines"&&t.share?"shares":t.kind,l={width:100,height:100,...structuredClone(o.specs[a])};if(t.kind==="lines"&&this.dressLines(l,r),this.asked&&!r)for(let{encoding:u}of l.layer)u?.y&&(u.y.scale={zero:!0});if(t.kind==="predictions"){let{right:u,wrong:p}=s,f={rightFill:u.fill,rightInk:u.ink,wrongFill:p.fill,wrongInk:p.ink};for(let g of l.params)g.value=f[g.name]??g.value}let d=c("div","sheet"),m={mode:"vega-lite",config:ai(s),renderer:"canvas",actions:!1,tooltip:!1},h=await Qf(async()=>i===this.key?o.embed(d,l,{...m,ast:!0,defaultStyle:!1,logLevel:1}):null);if(i!==this.key||!h)return h?.finalize();this.finalize?.(),this.finalize=()=>h.finalize(),this.vega=h.view,this.logged=r,this.picture.replaceChildren(d),this.measure(),this.draw()}dressLines(e,t){let s=this.series.map(({key:i})=>i),o=this.series.map(({colour:i})=>i),r=this.series.map(({dash:i})=>i);for(let{encoding:i}of e.layer)i?.color&&(i.color.scale={domain:s,range:o},i.strokeDash&&(i.strokeDash.scale={domain:s,range:r}),t&&(i.y.scale={type:"log"},i.y.axis={...i.y.axis,labelOverlap:!0}))}lineRows(e,t){let s=this.panel.noisy?this.board.look.smoothing:0,o=this.logged,r=[],i=0,a=[...this.series].sort((l,d)=>Number(d.beside??!1)-Number(l.beside??!1));for(let l of a){let d=ri(l,s),m=Math.max(0,ft(l.steps,e-1e-9)-1),h=Math.min(l.steps.length,ft(l.steps,t)+1);i=Math.max(i,h-m);for(let u=m;u<h;u++)o&&!(l.values[u]>0)||r.push({step:l.steps[u],value:l.values[u],smooth:d[u],low:l.low?.[u],high:l.high?.[u],series:l.key})}return this.vega.signal("rawOpacity",s?.28:1).signal("rawWidth",(s?1:2)*this.board.theme.scale).signal("smoothWidth",2*this.board.theme.scale).signal("lineHeight",wd*this.board.theme.scale).signal("lanes",this.board.lanes).signal("smoothOpacity",s?1:0).signal("pointSize",!s&&i<=Jf?18*this.board.theme.scale:0),r}cellRows({steps:e,rows:t,names:s,cell:o},r,i){let a=Math.max(0,ft(e,r)-1),l=ft(e,i),d=Math.max(1,Math.ceil((l-a)*Xf/this.width)),m=[];for(let p=l-1;p>=a;p-=d)m.unshift(p);m.length&&m[0]!==a&&m.unshift(a);let h=[],u=1/0;return m.forEach((p,f)=>{let[g,w]=[f-1,f+1].map(E=>(e[p]+e[m[E]])/2),v=f?g:e[p],S=f+1<m.length?w:Math.max(this.board.newest,f?e[p]:e[p]+1);u=Math.min(u,(S-v)/(i-r)*this.width);for(let E=0;E<s.length;E++){let T=o(t[p],E);T&&h.push({step:v,until:S,position:E,...T})}}),this.panel.kind==="predictions"&&this.vega.signal("roomy",u>=Yf*this.board.theme.scale&&this.height/s.length>this.board.theme.fontSize),this.vega.signal("names",s.map(te)),h}toSVG(){return this.vega.toSVG()}get asked(){return this.panel.name==="loss"&&ae.value?.kind==="point"?ae.value:null}mark(){let{asked:e}=this,{first:t,last:s}=this.board.axis;this.plot.classList.toggle("picking",!!e?.pick);let o=(e?.marks??[]).filter(({at:[r]})=>r>=t&&r<=s);this.points.replaceChildren(...o.map(({at:[r,i],text:a,name:l})=>{let d=c("i",l,a),m=Math.max(0,Math.min(this.height,this.vega.scale("y")(i)));return d.style.transform=`translate(${this.x(r)}px, ${m+this.margins.top}px)`,d}))}picks(e){let t=this.asked?.pick;if(!t||!this.vega)return!1;let{left:s,top:o}=this.plot.getBoundingClientRect(),{first:r,last:i}=this.board.axis,a=r+(e.clientX-s-this.margins.left)/this.width*(i-r),l=this.vega.scale("y").invert(e.clientY-o-this.margins.top);return t([Math.round(Math.max(r,Math.min(i,a))),Number(l.toPrecision(3))]),!0}x(e){let{first:t,last:s}=this.board.axis;return this.board.theme.room.left+(e-t)/(s-t)*this.width}point(e){let{board:t}=this;if(!this.room)return;let{first:s,last:o}=t.axis,r=this.steps,i=we(r,e),a=i<0?null:r[i];this.step.textContent=a===null?"":`step ${a.toLocaleString("en-US")}`;let l=e!==null&&e>=s&&e<=o;if(this.rule.hidden=this.chip.hidden=!l,l){let h=this.x(e),{top:u,bottom:p}=this.margins;this.rule.style.cssText=`left:${h}px;top:${u}px;bottom:${p}px`,this.chip.textContent=e.toLocaleString("en-US"),this.chip.style.left=`${Math.min(Math.max(h,16),this.room-16)}px`}let d=this.cells?this.tellCells(this.cells,i):this.tellLines(e,a,l),m=a===null?"nothing measured yet":`step ${a}: ${d}`;Object.assign(this.plot,{ariaValueMin:r[0]??0,ariaValueMax:r.at(-1)??0,ariaValueNow:a??0,ariaValueText:m})}tellLines(e,t,s){let o=this.panel.share?I:kd,r=s&&this.vega?this.vega.scale("y"):null,{first:i,last:a}=this.board.axis,l=this.dots.querySelectorAll("i"),d=this.series[0]?.tested?.[we(this.series[0].steps,e)];return y(this.tested,d?` · ${ci(d)} tested${this.series.some(({low:h})=>h)?" · band: 95 % interval":""}`:""),[...this.series.map((h,u)=>{let p=we(h.steps,h.beside?e??t:e),f=this.items[u],g=p<0?"–":o(h.values[p]);y(f.value,g);let w=p>=0&&h.steps[p]!==t?`at ${h.steps[p].toLocaleString("en-US")}`:"",v=h.tested?.[p]===d?"":ci(h.tested?.[p]),S=Zf(h,p),E=[w,S,v].filter(Boolean).join(", ");y(f.apart,E),f.apart.title=S?`95 % interval ${S} %`:E;let T=l[u],$=r&&p>=0?r(h.values[p]):NaN;return T.hidden=!Number.isFinite($)||h.steps[p]<i||h.steps[p]>a,T.hidden||(T.style.transform=`translate(${this.x(h.steps[p])}px, ${$+this.margins.top}px)`),`${h.name} ${g} ${E}`.trim()}),ci(d)].filter(Boolean).join(", ")}tellCells({rows:e,names:t,tell:s,sum:o},r){let i=this.pointed===void 0?null:Math.floor(this.pointed*t.length),a=r<0?"":i!==null&&i>=0&&i<t.length?s(e[r],i):o(e[r]);return y(this.legend,a),a}listen(){let{plot:e,board:t}=this,s=l=>l.clientX-e.getBoundingClientRect().left,o=l=>{let{first:d,last:m}=t.axis;return d+(l-t.theme.room.left)/this.width*(m-d)},r=l=>{let{first:d,last:m}=t.axis,{reach:h}=this,u=we(h,o(l)),p=[u,u+1,u-1].find(f=>h[f]>=d&&h[f]<=m);return h[p??u]??null},i=l=>{let d=e.getBoundingClientRect();this.pointed=(l.clientY-d.top-this.margins.top)/this.height,t.rest(()=>r(l.clientX-e.getBoundingClientRect().left))},a=null;e.addEventListener("pointerdown",l=>{l.button!==0||!t.theme||(a={x:s(l),touch:l.pointerType==="touch"},a.touch?i(l):e.setPointerCapture(l.pointerId))}),e.addEventListener("pointermove",l=>{let d=!l.movementX&&!l.movementY;if(!t.theme||t.slide&&d||(i(l),!a||a.touch))return;let[m,h]=[a.x,s(l)].sort((p,f)=>p-f),{left:u}=t.theme.room;this.brush.hidden=h-m<=li,this.brush.style.left=`${Math.max(m,u)}px`,this.brush.style.width=`${Math.min(h,u+this.width)-Math.max(m,u)}px`}),e.addEventListener("pointerup",l=>{if(!a)return;let{x:d,touch:m}=a;a=null,this.brush.hidden=!0;let h=s(l);Math.abs(h-d)<=li&&this.picks(l)||(m?t.hold(r(h)):Math.abs(h-d)>li?t.zoom(o(Math.min(d,h)),o(Math.max(d,h))):t.clicked(r(h)))}),e.addEventListener("pointercancel",()=>{a=null,this.brush.hidden=!0}),e.addEventListener("pointerleave",l=>{this.pointed=void 0,l.pointerType!=="touch"&&t.rest(null)}),e.addEventListener("dblclick",()=>t.zoom()),e.addEventListener("keydown",l=>this.press(l)),e.addEventListener("blur",()=>e.clientWidth&&t.hold(null)),this.brush.hidden=!0}press(e){if(e.ctrlKey||e.altKey||e.metaKey)return;let{board:t}=this,{steps:s}=this;if(!s.length)return;let o=we(s,t.step),r=e.shiftKey?10:1,i={ArrowLeft:o-r,ArrowRight:o+r,Home:0,End:s.length-1}[e.key];if(i!==void 0)t.hold(s[Math.min(Math.max(i,0),s.length-1)]);else if(e.key==="Enter")t.clicked(s[o]);else if(e.key==="Escape")t.hold(null);else if(e.key==="+"||e.key==="=")t.zoomAround(s[o],.5);else if(e.key==="-")t.zoomAround(s[o],2);else if(e.key==="0")t.zoom();else return;Q(e)}}});var Ld={};k(Ld,{download:()=>mi});async function mi(n,e,t){let[s]=n.data.runs,o=n.single?s.name:"comparison";if(e==="csv"){for(let{id:h,name:u,shelf:p="runs"}of n.data.runs)hi(new URL(`./${p}/${encodeURIComponent(h)}/metrics.csv`,document.baseURI).href,`${u}.csv`);return}let r=[o,t].filter(Boolean).join("-").replaceAll(/[^\p{L}\p{N}_-]+/gu,"-"),i=n.panels.filter(h=>"picture"in h),{text:a,width:l,height:d}=await tg(n,i.filter(({panel:h})=>!t||h.name===t)),m=URL.createObjectURL(new Blob([a],{type:"image/svg+xml"}));e==="svg"?hi(m,`${r}.svg`):hi(await og(m,l,d),`${r}.png`),setTimeout(()=>URL.revokeObjectURL(m),6e4)}function hi(n,e){let t=c("a","",{href:n,download:e});document.body.append(t),t.click(),t.remove()}async function tg(n,e){let t=e.map(({node:h})=>h.getBoundingClientRect()),s=Math.min(...t.map(h=>h.left)),o=Math.min(...t.map(h=>h.top)),r=Math.ceil(Math.max(...t.map(h=>h.right))-s)+2*_s,i=Math.ceil(Math.max(...t.map(h=>h.bottom))-o)+2*_s,{theme:a}=n,l=await Promise.all(e.map(async(h,u)=>{let p=await ng(h);return`<g transform="translate(${t[u].left-s+_s}, ${t[u].top-o+_s})">${p}</g>`})),d=`rgb(${a.background.join(",")})`;return{text:`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${r}" height="${i}" viewBox="0 0 ${r} ${i}" font-family="${Ed(a.family)}"><rect width="100%" height="100%" fill="${d}"/>${l.join("")}</svg>`,width:r,height:i}}async function ng(n){let e=n.node.getBoundingClientRect(),t=[n.title,n.unit,n.tested,n.step,...n.legend.querySelectorAll(".name, b, small")];n.legend.children.length||t.push(n.legend);let s=t.map(a=>sg(a,e)).join(""),o=[...n.legend.querySelectorAll("svg")].map(a=>{let l=a.getBoundingClientRect(),d=getComputedStyle(a.querySelector("path")??a),m=l.top-e.top+l.height/2;return`<path d="M${l.left-e.left} ${m}h${l.width}" fill="none" stroke="${d.stroke}" stroke-width="2" stroke-dasharray="${d.strokeDasharray==="none"?"":d.strokeDasharray}"/>`}).join(""),r=n.plot.getBoundingClientRect(),i=await n.toSVG();return`${s}${o}<g transform="translate(${r.left-e.left}, ${r.top-e.top})">${i}</g>`}function sg(n,e){let t=n.textContent;if(!t)return"";let s=n.getBoundingClientRect(),o=getComputedStyle(n);return`<text x="${s.left-e.left}" y="${s.top-e.top+s.height/2}" dominant-baseline="central" font-size="${o.fontSize}" font-weight="${o.fontWeight}" fill="${o.color}">${Ed(t)}</text>`}function Ed(n){return n.replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;")}async function og(n,e,t){let s=new Image;s.src=n,await s.decode();let o=c("canvas","",{width:e*Td,height:t*Td});return Oe(o).drawImage(s,0,0,o.width,o.height),o.toDataURL("image/png")}var _s,Td,pi=b(()=>{C();_s=24,Td=2});var Cd,Sd=b(()=>{Cd=`.charts {
  container-type: inline-size;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  reading-flow: source-order;
  font-size: max(0.875rem, var(--least, 0px));
  line-height: 1.35;
}

/* ---- above the charts */
.bar {
  align-items: center;
  display: var(--toolbar, flex); /* none in the presenter view */
  gap: 0.3rem 0.9rem;
  margin-bottom: 0.3rem;
  min-height: 2rem;
}
.now {
  font-size: 1.1em;
  font-weight: 650;
  min-width: 10.5em;
}
.word {
  flex: 1;
  font-size: max(0.9em, var(--least, 0px));
  opacity: 0.85;
}
select {
  background: var(--st-background-color);
}
.bar label {
  align-items: center;
  cursor: pointer;
  display: flex;
  font-size: max(0.92em, var(--least, 0px));
  gap: 0.35rem;
  white-space: nowrap;
}
.bar input {
  margin: 0;
}
.smoothing input {
  width: 7em;
}
.over {
  min-width: 7.2em;
}
.acts {
  display: inline-flex;
  gap: 0.4rem;
}
.downloads {
  position: relative;
}
summary {
  align-items: center;
  display: flex;
  list-style: none;
}
summary::-webkit-details-marker {
  display: none;
}
.menu {
  display: grid;
  gap: 0.5rem;
  padding: 0.7rem;
  position: absolute;
  right: 0;
  top: calc(100% + 4px);
  width: 16.4rem;
  z-index: 5;
}
.kinds {
  display: grid;
  gap: 0.4rem;
  grid-template-columns: repeat(3, 1fr);
}

/* ---- the charts */
.grid {
  display: grid;
  gap: 0 1.6rem;
  grid-template-columns: repeat(12, minmax(0, 1fr));
}
/* Titles, legends and pictures of a row stand in line, however much the legends hold. */
.panel {
  display: grid;
  grid-column: span var(--width);
  grid-row: span 3;
  grid-template-columns: minmax(0, 1fr);
  grid-template-rows: subgrid;
  min-width: 0;
  row-gap: 0;
}
.panel:nth-child(n + 4) header {
  margin-top: 0.7rem;
}
.panel header {
  align-items: baseline;
  display: flex;
  flex-wrap: wrap;
  gap: 0 0.6rem;
  justify-content: space-between;
}
h2 {
  font-size: 1em;
  font-weight: 650;
}
.scale,
.step,
.at {
  flex: none;
  font-size: max(0.86em, var(--least, 0px));
}
.scale {
  min-height: 1.35em;
  width: 100%;
}
/* They begin at the same position whatever their numbers. */
.step,
.at {
  min-width: 4.8em;
}
.step {
  margin-left: auto;
}
h2 {
  flex: 0 1 auto;
  max-width: calc(100% - 6em); /* beside the step */
}
/* Each value has a column of its own, so that nothing moves when numbers become longer. */
.legend {
  align-content: start;
  display: grid;
  font-size: max(0.9em, var(--least, 0px));
  gap: 0 1rem;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  min-height: 1.4em;
}
.legend:not(:has(.item)) {
  display: block;
}
.panel.grouped .legend {
  min-height: 2.8em; /* four heads, which come with the first evaluation */
}
.item {
  align-items: baseline;
  display: inline-flex;
  gap: 0.35rem;
  min-width: 0;
  white-space: nowrap;
}
/* The last of an odd number has the room of two. */
.item:last-child:nth-child(odd) {
  grid-column: 1 / -1;
}
.item svg {
  align-self: center;
  flex: none;
  height: 8px;
  width: 18px;
}
.item path {
  fill: none;
  stroke-width: 2.5;
}
.item b {
  font-weight: 650;
  min-width: 4.4em;
}
.panel.share .item b {
  min-width: 3.6em;
}
/* Nothing follows the number that it could move: its room is the name's. */
.panel .item:has(small > :empty) b {
  min-width: 0;
}
.panel .item small:has(> :empty) {
  display: none;
}
/* Whole or not at all: what has no room beside the name breaks to a second line, which is out of sight. */
.item small {
  flex: 1 1 0;
  height: 1.4em;
  min-width: 0;
  overflow: hidden;
  white-space: normal;
}
.item small::before {
  content: "\\200B";
}
.item small span {
  display: inline-block;
  white-space: nowrap;
}
.plot {
  border-radius: 4px;
  cursor: crosshair;
  height: var(--panel-height, clamp(10.2rem, 22vh, 16.7rem)); /* on a slide, what it leaves */
  outline-offset: 2px;
  overflow: hidden;
  position: relative;
  touch-action: pan-y;
  user-select: none;
}
.picture,
.dots {
  inset: 0;
  pointer-events: none;
  position: absolute;
}
.picture canvas {
  display: block;
}
.rule {
  border-left: 1px solid var(--st-text-color);
  opacity: 0.7;
  pointer-events: none;
  position: absolute;
}
.chip {
  background: var(--st-text-color);
  border-radius: 0.3rem;
  bottom: 0;
  color: var(--st-background-color);
  font-size: max(0.78em, var(--least, 0px));
  font-weight: 600;
  line-height: 1.45;
  padding: 0 0.35em;
  pointer-events: none;
  position: absolute;
  transform: translateX(-50%);
}
.dots i {
  border: 1.5px solid var(--st-background-color);
  border-radius: 50%;
  box-sizing: border-box;
  height: 10px;
  left: -5px;
  position: absolute;
  top: -5px;
  width: 10px;
}
.asked i {
  background: var(--st-background-color);
  border: 2px dashed var(--st-primary-color);
  color: var(--st-text-color);
  display: grid;
  font: 700 max(0.75rem, var(--least, 0px)) / 1 var(--st-font);
  height: 1.5rem;
  left: -0.75rem;
  min-width: 1.5rem;
  place-items: center;
  top: -0.75rem;
}
.asked .own {
  border-style: solid;
}
.plot.picking {
  cursor: cell;
  outline: 2px solid var(--st-primary-color);
}
.brush {
  background: color-mix(in srgb, var(--st-primary-color) 22%, transparent);
  bottom: 2rem;
  pointer-events: none;
  position: absolute;
  top: 0.45rem;
}
.empty {
  display: grid;
  font-size: max(0.92em, var(--least, 0px));
  inset: 0;
  opacity: 0.75;
  place-items: center;
  pointer-events: none;
  position: absolute;
}

/* ---- examples */
.plot.answers {
  cursor: default;
  display: flex;
  flex-direction: column;
}
.list {
  flex: 1;
  min-height: 0;
  overflow-y: auto;
  scrollbar-width: thin;
}
.example {
  align-items: center;
  border: 1px solid transparent;
  border-radius: 0.4rem;
  display: grid;
  font-size: max(0.9em, var(--least, 0px));
  gap: 0 0.5rem;
  grid-template-columns: 3.1em minmax(0, 1fr) 1.2rem;
  padding: 0.15rem 0.4rem;
  text-align: left;
  width: 100%;
}
/* Tokens are replaced while one presses; a press is the example's own. */
.example .tok {
  flex: 0 1 1.45em; /* sixteen tokens fit into a third of a small window */
  font-size: max(0.92em, var(--least, 0px));
  line-height: 1.55rem; /* the height of the row */
  min-width: min-content;
  pointer-events: none;
}
.example[aria-checked="true"] {
  background: var(--st-secondary-background-color);
  border-color: var(--st-border-color);
}
.example small {
  grid-column: 1;
}
.verdict {
  font-weight: 700;
}
/* A text: its lines break after the same number of characters, so that what differs stands below each other. */
.running .example {
  gap: 0 0.3rem;
  grid-template-columns: 3.1em minmax(0, 1fr) auto;
  line-height: 1.3;
}
.prose {
  font-family: var(--st-code-font, monospace);
  font-size: max(0.92em, var(--least, 0px));
  overflow-wrap: anywhere;
  pointer-events: none;
  white-space: break-spaces;
  word-break: break-all;
}
.own {
  align-items: center;
  display: grid;
  gap: 0.1rem 0.6rem;
  grid-template-columns: minmax(0, 1fr) auto;
  padding: 4px 0.4rem 0.3rem;
}
.own label {
  align-items: center;
  display: flex;
  gap: 0.5rem;
  white-space: nowrap;
}
.own input {
  flex: 1;
  min-height: 1.8rem;
  min-width: 0;
  padding-block: 0;
}
.own :is(.prose, .problem) {
  grid-column: 1 / -1;
  line-height: 1.3;
}
.own .prose {
  min-height: 2.6em; /* two lines, so that a longer answer moves nothing */
  pointer-events: auto;
  white-space: pre-wrap;
  word-break: normal;
}
.own .hint {
  font-family: var(--st-font);
  opacity: 0.78;
}
.own:has(.problem:not(:empty)) .prose {
  display: none;
}
.own .problem {
  min-height: 2.6em;
}
.own .problem:empty {
  display: none;
}
:is(.running .reads, .running .wanted, .own .read) {
  opacity: 0.78;
}
.prose :is(.wrong, .missing) {
  background: color-mix(in srgb, var(--wrong) 60%, transparent);
  color: var(--miss);
  font-weight: 700;
  text-decoration: underline 2px;
  text-underline-offset: 3px;
}

/* ---- attention */
[data-kind="attention"] header {
  justify-content: start;
}
[data-kind="attention"] .step {
  margin-left: auto;
}
.taps {
  font-size: max(0.86em, var(--least, 0px));
  min-height: 1.6em;
  min-width: 0;
}
.plot.heads {
  --column: 1fr;
  overflow: auto;
  touch-action: auto;
  scrollbar-width: thin;
}

@container (max-width: 900px) {
  .panel {
    grid-column: span calc(1.5 * var(--width));
  }
}
@container (max-width: 640px) {
  .plot.heads {
    height: var(--panel-height, 20rem);
  }
  .panel + .panel header {
    margin-top: 0.9rem;
  }
  .panel {
    grid-column: span 12;
  }
  /* The first chart is above the fold: what is set for all of them stands below it. */
  .grid {
    display: contents;
  }
  .panel {
    order: 2;
    reading-order: 2;
  }
  .panel:is(:first-child, .running + .panel) {
    order: 0;
    reading-order: 0;
  }
  .bar {
    gap: 0.3rem 0.7rem;
    margin-top: 0.7rem;
    order: 1;
    reading-order: 1;
  }
  .bar:has(+ .grid:empty):has(.word:empty) {
    visibility: hidden; /* it would be seen to move */
  }
  .now {
    min-width: 5.5em;
  }
  .now span + span {
    display: none;
  }
  .acts button {
    padding-inline: 0.4rem;
  }
  .word:empty {
    display: none;
  }
  .smoothing input {
    width: 5em;
  }
  .over {
    min-width: 6.6em;
  }
  .menu {
    left: 0;
    right: auto;
  }
}

/* ---- on a slide, see presenter.ts */
.grid.presented {
  display: block;
}
.presented .panel {
  display: none;
}
.presented .panel.shown {
  display: flex;
  flex-direction: column;
  height: calc(var(--panel-height) + 4.4rem); /* title, unit and legend, however many rows it has */
}
.presented .plot {
  flex: 1;
  min-height: 0;
}
.presented h2 {
  font-size: 1.15rem;
}
.presented :is(.legend, .step, .scale) {
  font-size: 1rem;
}
.presented :is(.example, .own) {
  font-size: 1.2rem;
}
`});var Md={};k(Md,{joined:()=>Dt,pieces:()=>Fs,prose:()=>ln,replaced:()=>Ks});function Dt(n){return n.join("").replaceAll(ig," ")}function Fs(n){let e=[];for(let[t,s]of n){let o=s==="missing"?"_":s==="wrong"?t:Dt([t]),r=e.at(-1);r&&r[1]===s?r[0]+=o:e.push([o,s])}return e}function ln(n,e){Ks(n,"prose",e,()=>Fs(e).map(([t,s])=>s?c("span",s,t):t))}function Ks(n,e,t,s){let o=JSON.stringify([e,t]);if(n.dataset.shown!==o){n.dataset.shown=o;for(let r of["prose","toks"])n.classList.toggle(r,r===e);n.replaceChildren(...s())}}var ig,Vs=b(()=>{C();ig="␣"});var Ad={};k(Ad,{OwnInput:()=>Gn});async function ug(n,e){try{let t=await fe(n,ag,e);return t.ok?await t.json():{problem:await t.text(),wrong:t.status===pg}}catch{return{problem:"Server not responding. Retrying ...",wrong:!1}}}var ag,lg,$d,cg,dg,hg,mg,pg,Gn,ui=b(()=>{Xe();zt();Vs();C();ag=2e4,lg=300,$d=1e3,cg=4,dg=5e3,hg=100,mg=2e3,pg=422;Gn=class{board;field=c("input","",{type:"text",autocomplete:"off",spellcheck:!1,maxLength:mg});step=c("span","at soft");text=c("div","prose");problem=c("div","problem",{role:"status"});heard=c("div","unseen",{ariaLive:"polite"});node=c("div","own",c("label","",c("span","","Your input"),this.field),this.step,this.text,this.problem,this.heard);run=null;kept=[];latest=new Le(hg,ug);asked="";announced="";timer=0;rest=0;constructor(e){this.board=e,this.field.addEventListener("input",()=>{e.look.inputs[this.run?.typing??""]=this.field.value,y(this.problem,""),this.asked="",this.later(lg)})}close(){clearTimeout(this.timer),this.latest.forget()}fill(e,t){this.node.hidden=!e.running,this.kept=t[0]===0?t:[0,...t],e.id!==this.run?.id&&(this.field.value=this.board.look.inputs[e.typing]??"",this.field.title=e.typing,this.asked="",y(this.problem,"")),this.run=e}point(){this.field.value?!this.timer&&!this.problem.textContent&&this.address!==this.asked&&this.later(this.rest-Date.now()):this.show(null)}get address(){let e=String(this.kept[we(this.kept,this.board.step)]),t=new URLSearchParams({step:e,input:this.field.value});return new URL(`./runs/${encodeURIComponent(this.run?.id??"")}/answer?${t}`,document.baseURI).href}later(e){clearTimeout(this.timer),this.timer=setTimeout(()=>this.ask(),Math.max(0,e))}ask(){this.timer=0;let{address:e}=this,t=this.field.value;if(!this.run?.running||!t)return this.show(null);let s=Date.now();this.asked=e,this.rest=s+$d,this.latest.ask(e,o=>{if(this.rest=Date.now()+Math.max($d,cg*(Date.now()-s)),"problem"in o){y(this.problem,o.wrong?o.problem:""),y(this.step,""),o.wrong||(this.asked="",this.later(dg));return}this.show(o),t!==this.announced&&y(this.heard,`Step ${o.step}: ${Dt(o.says)}`),this.announced=t,this.point()})}show(e){y(this.step,e?`step ${e.step.toLocaleString("en-US")}`:""),e?ln(this.text,[...e.reads.map(t=>[t,"read"]),...e.says.map(t=>[t,""])]):ln(this.text,[["Type a beginning. The model continues it while it trains.","hint"]])}}});var Nd={};k(Nd,{Examples:()=>_n,compared:()=>Od});function Od(n,e){let t=n.length-e.length-fg,s=t>1?n.slice(0,-t):n,o=Array.from({length:Math.max(s.length,e.length)},(r,i)=>[s[i]??"",s[i]===e[i]?"":s[i]===void 0?"missing":"wrong"]);return t>1?[...o,[`+${t}`,"more"]]:o}function Rd(n){return n.map(e=>[e,""])}function gg(n,e){Ks(n,"toks",e,()=>e.map(([t,s])=>{let o=c("span",`tok ${s}`,t?te(t):" ");return s==="more"&&(o.title=`${t.slice(1)} more tokens`),o}))}var fg,_n,fi=b(()=>{qn();zt();ui();Vs();C();fg=2,_n=class extends gt{own=new Gn(this.board);list=c("div","list",{role:"radiogroup",ariaLabel:"Selected example"});rows=[];predictions=[];steps=[];reads=[];right=[];open=!1;running=!1;named=()=>[];constructor(e,t){super(e,t),this.plot.classList.add("answers"),this.plot.append(this.own.node,this.list)}close(){this.own.close(),this.node.remove()}fill(e,t){let{tokens:s=[],end:o,examples:r=[],open:i=!1,kept:a=[]}=t.more;for(this.own.fill(e,a.filter(l=>l<=(e.upto??1/0))),this.open=i,this.running=e.running,this.node.classList.toggle("running",this.running),this.legend.textContent=this.running?`${e.how} · underlined: ${i?"not as in the text":"wrong"}`:e.how,this.predictions=t.rows("predictions",e.upto),this.steps=this.predictions.map(([l])=>l),this.named=l=>l.filter(d=>d!==o).map(d=>s[d]),this.reads=r.map(({reads:l})=>this.named(l)),this.right=r.map(({right:l})=>this.named(l));this.rows.length>r.length;)this.rows.pop()?.node.remove();for(;this.rows.length<r.length;)this.rows.push(this.row(this.rows.length))}row(e){let[t,s,o,r]=["reads","says","wanted","verdict"].map(l=>c("span",l)),i=x("example",c("small","","input"),()=>this.board.choose({example:e}),{role:"radio"}),a=c("small","whose");return i.append(t,c("small","","output"),s,r,a,o),this.list.append(i),{node:i,reads:t,says:s,whose:a,wanted:o,verdict:r}}measure(){}draw(){this.point(this.board.step)}point(e){this.running&&this.own.point();let t=we(this.steps,e);this.step.textContent=t<0?"":`step ${this.steps[t].toLocaleString("en-US")}`,this.rows.forEach((s,o)=>{let r=this.right[o],i=this.predictions[t]?.[1][o],a=i?this.named(i):null,l=a?.length===r.length&&a.every((h,u)=>h===r[u]),d=a?Od(a,r):[],m=this.running?ln:gg;m(s.reads,Rd(this.reads[o])),m(s.says,d),m(s.wanted,this.running?Rd(r):[]),s.whose.textContent=this.open?"text":"right",s.whose.hidden=s.wanted.hidden=!this.running,s.node.ariaLabel=this.running?this.heard(o,d):null,s.verdict.textContent=!a||this.open?"":l?"✓":"✕",s.verdict.title=!a||this.open?"":l?"all correct":"has errors",s.node.setAttribute("aria-checked",String(o===this.board.example))})}heard(e,t){let o=t.filter(([,i])=>!i).length<t.length?", with wrong characters in brackets":"",r=Fs(t).map(([i,a])=>a?`[${i}]`:i).join("");return`Input: ${Dt(this.reads[e])}. Output${o}: ${r||"none yet"}. ${this.open?"In the text":"Right"}: ${Dt(this.right[e])}.`}}});var Pd={};k(Pd,{Heads:()=>Fn});async function yg(n,e){try{let t=await fe(n,bg,e);return t.ok?_(new Uint8Array(await t.arrayBuffer())):{problem:t.status===429?await t.text():""}}catch{return{problem:""}}}var bg,wg,Hd,Fn,gi=b(()=>{Xe();qn();zt();Ot();Ht();ze();C();bg=1e4,wg=300,Hd=26;Fn=class extends gt{choice=c("select","taps",{ariaLabel:"Which attention"});group=new le(this.plot);empty=c("div","empty","Attention heads appear once the run has saved a step.");shown=null;themed="";kept=[];run=null;latest=new Le(wg,yg);width=0;height=0;address=null;constructor(e,t){super(e,t),this.plot.classList.add("heads"),Object.assign(this.plot,{role:"group",ariaLabel:"Attention weights"}),this.choice.addEventListener("change",()=>e.choose({tap:this.choice.value})),this.title.after(this.choice),this.plot.append(this.empty),this.group.listen(this.plot,()=>this.tell())}close(){this.latest.forget(),this.node.remove()}fill(e,t){let{attentions:s=[],kept:o=[]}=t.more;this.run=e,this.kept=o.filter(i=>i<=(e.upto??1/0));let r=JSON.stringify(s);this.choice.dataset.shown!==r&&(this.choice.dataset.shown=r,this.choice.replaceChildren(...s.map(({tap:i,title:a})=>new Option(a,i)))),this.choice.value=this.board.attention?.tap??""}measure(){this.width=this.plot.clientWidth,this.height=this.plot.clientHeight}draw(){this.shown&&this.layout(),this.point(this.board.step)}point(e){let{board:t}=this;if(!this.run||!t.attention)return;let s=this.kept[0]===0?this.kept:[0,...this.kept],o=new URLSearchParams({step:String(s[we(s,e)]),example:String(t.example),tap:t.attention.tap}),r=new URL(`./runs/${encodeURIComponent(this.run.id)}/attention?${o}`,document.baseURI).href;r!==this.address&&(this.address=r,this.latest.ask(r,i=>this.show(i)))}show(e){if(!("tensors"in e)){this.address=null,this.legend.textContent=e.problem;return}this.shown=e,this.empty.hidden=!0;let[t]=e.tensors;this.group.fill(t,Se(t),{},this.board.theme,null),this.step.textContent=`step ${e.step.toLocaleString("en-US")}`,this.layout()}layout(){let{board:e}=this,{theme:t}=e;if(!this.width)return;this.themed!==e.themeKey&&(this.themed=e.themeKey,this.group.paint(t,null));let s=e.slide?Math.round(3*Hd*t.scale):Hd;zn(this.group,t,{width:this.width,height:this.height,most:s}),this.tell()}tell(){let e=this.group.words();!e&&this.shown&&(e=`example ${this.board.example+1}, with the model's own predictions`),y(this.legend,e)}toSVG(){let e=this.plot.getBoundingClientRect();return this.group.tiles.map(({canvas:t,title:s})=>{let o=t.getBoundingClientRect(),r=s.getBoundingClientRect();return`<text x="${r.left-e.left}" y="${r.top-e.top+r.height/2}" dominant-baseline="central" font-size="12" font-weight="600" fill="${this.board.theme.ink}">${s.textContent}</text><image href="${t.toDataURL()}" x="${o.left-e.left}" y="${o.top-e.top}" width="${o.width}" height="${o.height}"/>`}).join("")}get picture(){return this.plot}}});var Id={};k(Id,{toolbar:()=>wi});function wi(n){let e=c("span"),t=c("span"),s=Js("Step through",()=>n.open(n.step??n.newest)),o=Js("Latest",()=>n.hold(null)),r=Js("Whole run",()=>n.zoom()),i=c("span","word",{role:"status"}),a=zd("Log scale",w=>n.change({log:w})),l=zd("Gradient norm",w=>n.observe(w)),d=c("input","",{type:"range",min:"0",max:String(bi.length-1),step:"1",ariaLabel:"Smoothing"}),m=c("output","over");d.addEventListener("input",()=>n.change({smoothing:bi[Number(d.value)]}));let h=kg(n);s.title="Open this training step in Step through.";let u=c("output","now",t,e),p=c("span","acts",s,o,r),f=c("label","smoothing","Smoothing ",d,m);return{node:c("div","bar wrap",u,p,i,f,a.node,l.node,h.node,{role:"toolbar",ariaLabel:"Charts"}),say:w=>i.textContent=w,tell(w,v){y(t,`Step ${xg(w??v)}`),e.textContent=w===null?" (latest)":"",o.classList.toggle("unused",n.held===null),s.classList.toggle("unused",!n.data.opens||n.held===null)},update(){let{look:w,data:v}=n;a.input.checked=w.log,d.value=String(bi.indexOf(w.smoothing)),m.textContent=w.smoothing?`over ${w.smoothing} steps`:"off",d.setAttribute("aria-valuetext",m.textContent),r.classList.toggle("unused",!n.zoomed),l.node.hidden=v.observes===null,l.input.disabled=!v.observes,l.node.title=v.observes===!1?"You can turn the gradient norm on or off only while the run trains.":"",l.input.checked=n.observed,h.update()}}}function xg(n){return n.toLocaleString("en-US")}function Js(n,e){let t=x("",n,e);return t.addEventListener("pointerdown",s=>s.preventDefault()),t}function zd(n,e){let t=c("input","",{type:"checkbox"});return t.addEventListener("change",()=>e(t.checked)),{node:c("label","check",t,n),input:t}}function kg(n){let e=c("select","",{ariaLabel:"Which charts"}),t=[["PNG","png"],["SVG","svg"],["CSV","csv"]].map(([a,l])=>{let d=Js(a,()=>{n.download(l,e.value),r.open=!1});return Object.assign(d,{ariaLabel:`Download as ${a}`})}),s=c("small","","PNG and SVG show the charts as drawn. CSV has every recorded step."),o=c("summary","","Download"),r=c("details","downloads",o,c("div","menu",e,c("div","kinds",...t),s)),i=a=>{r.open&&!a.composedPath().includes(r)&&(r.open=!1)};return r.addEventListener("toggle",()=>{r.open?document.addEventListener("pointerdown",i):document.removeEventListener("pointerdown",i)}),r.addEventListener("keydown",a=>{a.key!=="Escape"||!r.open||(r.open=!1,o.focus(),a.stopPropagation())}),{node:r,update(){let a=[["","All charts"],...n.panels.filter(d=>"picture"in d).map(({panel:d})=>[d.name,d.title])],l=JSON.stringify(a);e.dataset.names!==l&&(e.dataset.names=l,e.replaceChildren(...a.map(([d,m])=>new Option(m,d))))}}}var bi,yi=b(()=>{C();bi=[0,2,5,10,20,50,100,200,500,1e3,2e3,5e3]});var qd={};k(qd,{Board:()=>Ys,default:()=>Cg,prepare:()=>Mg});async function Lg({program:n,specs:e},t,s){for(let o=Wd.first;;o=Math.min(2*o,Wd.most)){try{return await(Xs??=Ud(n,e))}catch{Xs=null,t()}if(await new Promise(r=>setTimeout(r,o)),s())return null}}async function Ud(n,e){let t=jd++?`?try=${jd}`:"",[{vegaEmbed:s},o]=await Promise.all([import(new URL(`./${n}${t}`,document.baseURI).href),fetch(new URL(`./${e}`,document.baseURI)).then(r=>r.json())]);return{embed:s,...o}}function Mg({data:{program:n,specs:e}}){(window.requestIdleCallback??setTimeout)(()=>(Xs??=Ud(n,e)).catch(()=>Xs=null))}function Ag(n,e,t){let s=n.rows(t,e.upto).filter(i=>i.length>1),o=s.map(i=>i.slice(1)),r=o.reduce((i,a)=>Math.max(i,a.length),0);return{steps:s.map(([i])=>i),rows:o,names:Array.from({length:r},(i,a)=>String(a+1)),cell:(i,a)=>typeof i[a]=="number"&&{value:i[a]},tell:(i,a)=>typeof i[a]=="number"?`position ${a+1}: ${I(i[a])} right`:`position ${a+1}: not evaluated`,sum(i){let a=i.map((d,m)=>[d,m]).filter(([d])=>typeof d=="number"),l=a.reduce((d,m)=>m[0]<d[0]?m:d,a[0]??[0,0]);return a.length?`lowest: position ${l[1]+1}, ${I(l[0])} right`:""}}}function Rg(n,e,t){let{tokens:s=[],examples:o=[]}=n.more,r=n.rows("predictions",e.upto).filter(m=>m[1].length),i=r.map(m=>m[1][t]??[]),a=o[t]?.right??[],l=i.reduce((m,h)=>Math.max(m,h.length),a.length),d=m=>s[m]??"";return{steps:r.map(([m])=>m),rows:i,names:Array.from({length:l},(m,h)=>d(a[h])||"–"),cell:(m,h)=>(m[h]!==void 0||a[h]!==void 0)&&{token:d(m[h]),right:m[h]===a[h]},tell:(m,h)=>`position ${h+1}: predicted ${d(m[h])||"nothing"}, expected ${d(a[h])||"nothing"}`,sum:m=>`${a.filter((h,u)=>m[u]===h).length} of ${a.length} tokens right`}}var vg,Dd,Bd,Wd,Tg,Eg,Xs,jd,Sg,Cg,Ys,$g,Gd=b(()=>{Ze();B();Zt();Sd();Ke();qn();pi();zt();Gs();fi();gi();oe();Ue();yi();z();C();vg=250,Dd=4,Bd=7,Wd={first:1e3,most:3e4},Tg=[1,1.5,2,3,4,5,6,8,10],Eg={log:!1,smoothing:0,example:0,tap:"",inputs:{}},Xs=null,jd=0;Sg=[ee,A,Ie,Cd],Cg=M(Sg,n=>new Ys(n),(n,{data:e,setStateValue:t,setTriggerValue:s})=>{n.open=o=>s("step",o),n.acts.adopt(e,o=>t("acts",o)),n.show(e)});Ys=class{parent;root;bar;grid=c("div","grid");observer=new ResizeObserver(()=>this.fit());unwatch;size="";shown="";themeKey="";names="";channel="";alone=!1;closed=!1;acts=new V;stores=new Map;panels=[];look=Eg;resting=null;held=null;zoomed=null;library=null;loading;data;theme;played=null;slide=null;open;news=0;frame=0;opening=0;constructor(e){this.parent=e,this.root=e.querySelector(".charts"),this.bar=wi(this),this.root.append(this.bar.node,this.grid),this.observer.observe(this.root),this.unwatch=[pe.watch(t=>this.present(t)),ae.watch(()=>this.shown&&this.redraw())],document.addEventListener("keydown",this.letGo)}present(e){this.held=e&&this.slide?this.step:null,this.resting=null,this.slide=e,this.choosePanels(),this.fit(),this.shown&&this.point()}letGo=e=>{e.key!=="Escape"||!this.slide||this.held===null||(this.hold(null),e.preventDefault())};fit(){let e=`${this.root.clientWidth} ${this.panels.map(({plot:s})=>s.clientHeight)}`,t=e!==this.size;this.size=e,this.shown&&t&&(this.dress()?this.fill():this.redraw())}choosePanels(){this.grid.classList.toggle("presented",this.slide!==null);for(let{node:e,panel:t}of this.panels)e.classList.toggle("shown",!!this.slide?.panels.includes(t.name))}close(){this.closed=!0,cancelAnimationFrame(this.news),this.played?.close();for(let e of this.stores.values())e.leave(this.changed);this.observer.disconnect();for(let e of this.unwatch)e();rt.set(this,null),document.removeEventListener("keydown",this.letGo);for(let e of this.panels)e.close();this.root.replaceChildren()}async show(e){this.data=structuredClone(e),this.listen();for(let{id:t}of this.all)this.store(t);for(let[t,s]of this.stores)this.all.some(o=>o.id===t)||(s.leave(this.changed),this.stores.delete(t));this.loading??=Lg(e,()=>this.bar.say("Charts didn't load. Retrying ..."),()=>this.closed),this.library??=await this.loading,!this.closed&&(this.dress(),this.panels.length||this.fill(),this.refresh())}get drawn(){return JSON.stringify([this.data,this.themeKey,this.all.map(({id:e})=>this.store(e).version)])}changed=()=>{cancelAnimationFrame(this.news),this.news=requestAnimationFrame(()=>this.refresh())};refresh(){if(this.closed||!this.data||!this.library)return;for(let i of this.all){let{more:a}=this.store(i.id);!i.channel&&a.step!==void 0&&Object.assign(i,{step:a.step,ended:a.ended})}let e=this.all.map(({id:i})=>this.store(i).problem).find(Boolean)??"",{drawn:t}=this;if(this.bar.say(e),t===this.shown)return;this.shown=t;let[{id:s,name:o,shelf:r}]=this.data.runs;rt.set(this,this.single&&!r?{run:s,name:o,step:this.newest}:null),this.fill()}store(e){let t=this.stores.get(e);if(t)return t;let o=(this.all.find(r=>r.id===e)?.shelf==="library"?oi:si)(e,this.changed);return this.stores.set(e,o),o}listen(){let e=this.data.runs[0].channel??"";e!==this.channel&&(this.channel=e,this.played?.close(),this.played=e?new ut(e,()=>{let t=this.played?.values??{},[s]=this.data.runs;s.channel===e&&t.step!==void 0&&Object.assign(s,{upto:t.step,step:t.step,ended:t.ended}),this.changed()}):null)}dress(){if(!this.library)return!1;let e=ii(this.parent,this.library.colours),t=JSON.stringify(e);if(t===this.themeKey)return!1;this.theme=e,this.themeKey=t;for(let[s,o]of Object.entries({right:e.right.fill,wrong:e.wrong.fill,miss:e.wrong.ink}))this.root.style.setProperty(`--${s}`,o);return!0}get observed(){let{id:e}=this.data.runs[0];return this.acts.pending.findLast(([,,t])=>t===e)?.[3]??this.data.observed}observe(e){this.acts.add("observe",this.data.runs[0].id,e),this.fill()}get single(){return this.data.runs.length===1}get all(){let{runs:e,beside:t}=this.data;return t?[...e,t]:e}fill(){let e=this.wanted(),t=e.map(({name:s})=>s).join(" ")+this.single;if(t!==this.names){this.names=t;let s=this.single===this.alone?new Map(this.panels.map(o=>[o.panel.name,o])):new Map;for(let o of this.panels)e.some(({name:r})=>r===o.panel.name&&s.has(r))||o.close();this.panels=e.map(o=>s.get(o.name)??new($g[o.kind]??an)(this,o)),this.alone=this.single,this.grid.replaceChildren(...this.panels.map(({node:o})=>o)),this.choosePanels()}for(let s of this.panels)this.give(s);this.bar.update(),this.redraw()}wanted(){if(!this.library)return[];let{panels:e,compared:t,measures:s}=this.library,o=(i,a)=>s[a].grouped?this.store(i.id).rows(s[a].table,i.upto).some(l=>l.length>1):this.column(i,a).steps.length>0;return(this.single?this.data.runs[0].running?[...e.filter(({kind:i})=>i==="examples"),...e.filter(({kind:i})=>i!=="examples")]:e:t).filter(i=>this.data.panels.length&&!this.data.panels.includes(i.name)?!1:!i.if_measured||i.measures.some(([a])=>s[a].on_request&&this.observed||this.data.runs.some(l=>o(l,a))))}give(e){let{kind:t,measures:s}=e.panel,{runs:o}=this.data,[r]=o,i=this.store(r.id);if(!(e instanceof an))return e.fill(r,i);if(t==="positions")return e.setCells(Ag(i,r,s[0][0]));if(t==="predictions")return e.setCells(Rg(i,r,this.example));if(this.library?.measures[s[0][0]].grouped)return e.setLines(this.groups(i,r,s[0][0]));if(!this.single)return e.setLines(o.map((h,u)=>({key:h.id,name:h.name,colour:It(this.theme,h.colour),dash:Un(u),...this.column(h,s[0][0])})));let l=s.filter(([h])=>!h.startsWith("teacher_forced")||r.forced.includes(h)).map(([h,u],p)=>({key:h,name:u,...di(this.theme,p),...this.column(r,h)})),{beside:d}=this.data,m=d&&{key:"beside",beside:!0,name:d.name,colour:It(this.theme,Bd),dash:Un(Bd)};e.setLines(m?[...l,{...m,...this.column(d,s[0][0])}]:l)}get example(){let{examples:e=[]}=this.store(this.data.runs[0].id).more;return Math.min(this.look.example,Math.max(0,e.length-1))}get attention(){let{attentions:e=[],attention:t}=this.store(this.data.runs[0].id).more;return e.find(({tap:s})=>s===this.look.tap)??e.find(({tap:s})=>s===t)??null}groups(e,t,s){let{groups:o={}}=e.more;return(o[s]??[]).map(([i,a],l)=>({tap:i,name:a,at:1+l})).filter(({tap:i})=>!i||i===this.attention?.tap).map(({name:i,at:a},l)=>({key:i,name:i,colour:It(this.theme,l),dash:Un(l+Math.floor(l/this.theme.colours.length)),...e.column(s,a,t.upto)}))}column(e,t){let{table:s,at:o,beside:r}=this.library.measures[t];return this.store(e.id).column(s,o,e.upto,r)}get newest(){return Math.max(0,...this.data.runs.map(e=>this.last(e)))}get end(){let{beside:e}=this.data,t=ae.value?.step??0;return Math.max(1,this.newest,e?this.last(e):0,t)}last({id:e,step:t,upto:s}){return s??Math.max(t,this.store(e).tables.steps?.at(-1)?.[0]??0)}get axis(){if(this.zoomed)return this.zoomed;let{end:e}=this;if(this.all.every(({ended:s})=>s))return{first:0,last:e};let t=10**Math.floor(Math.log10(e));return{first:0,last:Tg.map(s=>s*t).find(s=>s>=e)??e}}zoom(e=0,t=1/0){let{end:s}=this,o=e<=0&&t>=s,r=Math.max(0,Math.floor(e));this.zoomed=o?null:{first:r,last:Math.max(Math.ceil(Math.min(t,Math.max(s,r+1))),r+1)},this.bar.update(),this.redraw()}zoomAround(e,t){let{first:s,last:o}=this.axis;this.zoom(e-(e-s)*t,e+(o-e)*t)}changes(){let[{id:e,upto:t}]=this.data.runs;return(this.single?this.store(e).more.changes??[]:[]).filter(({step:o})=>o<=(t??1/0)).map(({step:o,label:r},i)=>({step:o,label:r,line:i%Dd}))}get lanes(){return Math.min(Dd,this.changes().length)}redraw(){this.size=`${this.root.clientWidth} ${this.panels.map(({plot:e})=>e.clientHeight)}`;for(let e of this.panels)e.measure();for(let e of this.panels)e.draw();this.tell()}get step(){return this.resting?this.resting():this.held}rest(e){this.resting=e,e&&this.slide&&(this.held=null),this.point()}hold(e){this.held=e,e!==null&&(this.resting=null),this.point()}point(){cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>{let{step:e}=this;for(let t of this.panels)t.point(e);this.tell()})}tell(){this.bar.tell(this.step,this.newest)}clicked(e){let t=this.opening;clearTimeout(t),this.opening=0,!(e===null||!this.data.opens)&&(this.zoomed?t||(this.opening=setTimeout(()=>{this.opening=0,this.open(e)},vg)):this.open(e))}change(e){Object.assign(this.look,e),this.bar.update(),this.redraw()}choose(e){Object.assign(this.look,e),this.fill()}download(e,t){return mi(this,e,t)}},$g={examples:_n,attention:Fn}});var Fd,_d=b(()=>{Fd=`.zone {
  align-items: center;
  border: 1px dashed transparent;
  border-radius: 0.5rem;
  gap: 0.3rem 0.75rem;
}
.zone.over {
  border-color: var(--st-primary-color);
}
`});var Kd={};k(Kd,{default:()=>Hg});function Pg(n){try{let e=JSON.parse(n).cells.filter(t=>t.cell_type==="code");return JSON.stringify({cells:e.map(({cell_type:t,source:s})=>({cell_type:t,source:s}))})}catch{return n}}function zg(n){let e=new TextDecoder("latin1").decode(n.slice(0,1e3)).split(/\r\n?|\n/,2);for(let t of e){let s=/^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(t);if(s)return s[1].toLowerCase().replaceAll("_","-").replace(/^(iso-)?latin-1$/,"latin1")}return"utf-8"}var Ng,Hg,xi,Vd=b(()=>{B();_d();z();C();Ng=5e7,Hg=M([A,Fd],n=>new xi(n),(n,{data:e,setTriggerValue:t})=>{n.allow(e),n.tell=s=>t("chosen",s)}),xi=class{zone;input=Tt("",e=>this.take(e));choose=x("","",()=>this.input.click());allowed={most:0,endings:[]};tell;ended=new AbortController;constructor(e){this.zone=c("div","zone wrap large",this.choose,this.input,c("span","soft","or drop it on this page")),e.querySelector(".code-file")?.replaceChildren(this.zone);for(let t of["dragenter","dragover","dragleave","drop"]){let s={capture:!0,signal:this.ended.signal};addEventListener(t,o=>this.drag(o),s)}}allow(e){this.allowed=e,this.input.accept=e.endings.join(","),y(this.choose,`Choose a ${e.endings.join(" or ")} file`)}drag(e){let t=[...e.dataTransfer?.items??[]].filter(({kind:s})=>s==="file");t.length!==1||/zip/.test(t[0].type)||(e.preventDefault(),e.stopImmediatePropagation(),this.zone.classList.toggle("over",e.type==="dragenter"||e.type==="dragover"),e.type==="drop"&&this.take([...e.dataTransfer?.files??[]]))}async take([e]){if(!e)return;if(!this.allowed.endings.some(s=>e.name.toLowerCase().endsWith(s)))return this.tell({problem:"other"});let t=/\.ipynb$/i.test(e.name);if(e.size>(t?Ng:this.allowed.most))return this.tell({problem:"large"});try{let s=await e.arrayBuffer(),o=new TextDecoder(t?"utf-8":zg(s),{fatal:!0}).decode(s),r=t?Pg(o):o;this.tell(r.length>this.allowed.most?{problem:"large"}:{name:e.name,text:r})}catch{this.tell({problem:"binary"})}}close(){this.ended.abort()}}});var Jd={};k(Jd,{legendItems:()=>Kn});function Ig(n){let[e,t]=n.map(({row:s,column:o})=>[s.axis,o.axis]).find(s=>s.every(o=>Qs[o]))??[];return e?e===t?`${e} ↓ rows, → columns: ${Qs[e]}`:`${e} ↓ ${Qs[e]}, ${t} → ${Qs[t]}`:"↓ rows, → columns"}function Kn(n,e,t){let s=[],o=(p,...f)=>{let g=c("div","item",...f,c("span","",p));return s.push(g),g},r=(p,f,g)=>{let w=c("div","bar");w.style.background=`linear-gradient(to right, ${f.map(re).join(", ")})`;let v=c("div","ticks",...g.map(S=>c("span","",S)));o(p,c("div","",w,v))},i=(p,f)=>{let g=c("div","swatch");return g.style.background=f,o(p,g)},a=[...t.negative.slice(1).reverse(),...t.positive],l=p=>[`-${Gt({},p)}`,"0",Gt({},p)],d=new Set(n.map(p=>p.kind)),m=(p,f)=>{let g=new Map(f.map(w=>[w.most,w.tensor.output?"output":"input"]));for(let[w,v]of g)r(g.size>1?`${p}, ${v}`:p,a,l(w))},h=n.filter(({row:p,column:f})=>p.axis&&f.axis);h.length&&s.push(c("div","item",Ig(h))),m("number",n.filter(p=>p.kind==="signed"&&p.coloured)),d.has("probability")&&r("probability",t.probability,["0","0.5","1"]),m("gradient of the loss",e.filter(p=>p.coloured)),d.has("mask")&&i("allowed",re(t.allowed));let u=n.filter(p=>p.hidden);if(u.length){let p=f=>u.some(g=>g.hidden?.some(w=>w&f));i("hidden by the causal mask",Rs(t,Ct)).classList.toggle("unused",!p(Ct)),i("hidden by the padding mask",Rs(t,Qt)).classList.toggle("unused",!p(Qt))}return s}var Qs,Zs=b(()=>{ge();C();Qs={S:"input tokens",T:"decoder tokens"}});var Qd={};k(Qd,{default:()=>Wg});function jg(){let n=document.querySelector(`[${Ge}]`);return n!==null&&n.getAttribute(Ge)!=="notRunning"}function Ug(n,e){let t=document.querySelector(n);t&&typeof e=="string"&&y(t,e)}var Dg,Xd,Yd,Bg,Wg,ki,Zd=b(()=>{Ue();J();z();C();Dg=1e3,Xd=5e3,Yd=200,Bg=50,Wg=M([],()=>new ki,(n,{data:e,setTriggerValue:t})=>n.show(e,()=>t("changed",!0)));ki=class{followed=new Map;data;ask;timer=0;drawn=0;asked=!1;reported=new WeakSet;busy=-Yd;show(e,t){if(this.ask=t,e.at===this.data?.at)return;let{shown:s={},again:o}=e;for(let[r,i]of this.followed)r in s||(i.close(),this.followed.delete(r));for(let r of Object.keys(s))this.followed.has(r)||this.followed.set(r,new ut(r,()=>this.check()));Object.assign(this,{data:e,drawn:performance.now(),asked:!1}),clearTimeout(this.timer),o===void 0?this.check():this.repeat(1e3*o)}get news(){return Object.entries(this.data.shown??{}).flatMap(([e,t])=>{let s=this.followed.get(e);if(!s)return[];if(s.gone)return this.reported.has(s)?[]:[s];let o=Object.keys(t).map(r=>s.values[r]??null);return s.at&&JSON.stringify(o)!==JSON.stringify(Object.values(t))?[s]:[]})}check(){let{at:e,wait:t,texts:s={}}=this.data;for(let l of this.followed.values())if(l.gone||this.reported.delete(l),l.at>e)for(let[d,m]of Object.entries(s))Ug(m,l.values[d]);if(this.asked)return;clearTimeout(this.timer);let{news:o}=this;if(!o.length)return;let r=performance.now(),i=o.every(l=>l.at<=e),a=this.drawn+Math.max(i?Dg:0,1e3*t)-r;if(a>0)return this.later(a);if(jg()&&(this.busy=r),r-this.busy<Yd)return this.later(Bg);this.asked=!0,this.later(Xd);for(let l of o)l.gone&&this.reported.add(l);this.ask()}later(e){this.timer=setTimeout(()=>{this.asked=!1,this.check()},e)}repeat(e){this.timer=setTimeout(()=>{this.ask(),this.repeat(Xd)},e)}close(){clearTimeout(this.timer);for(let e of this.followed.values())e.close()}}});var th,eh=b(()=>{th=`.progress {
  display: grid;
  gap: 0.3rem;
}
.line {
  min-height: 1.6rem;
  line-height: 1.6rem;
  font-variant-numeric: tabular-nums;
}
/* As wide as the longest, so that the text beside it does not move. */
.status {
  display: inline-block;
  line-height: 1.3rem;
  min-width: 4.4rem;
  text-align: center;
  padding: 0.1rem 0.45rem;
  border-radius: 0.35rem;
  font-size: max(0.875rem, var(--least, 0px));
}
.bar {
  height: 0.5rem;
  border-radius: 0.25rem;
  background: var(--st-secondary-background-color);
  overflow: hidden;
}
.bar i {
  display: block;
  height: 100%;
  border-radius: inherit;
  background: var(--st-primary-color);
  transition: width 0.2s linear;
}
.bar .unknown {
  width: 30%;
  animation: unknown 1.2s ease-in-out infinite alternate;
}
@media (max-width: 640px) {
  .line {
    min-height: 3.2rem; /* two lines */
  }
}
@keyframes unknown {
  to {
    margin-left: 70%;
  }
}
@media (prefers-reduced-motion: reduce) {
  .bar .unknown {
    animation: none;
    margin-left: 35%;
  }
}
`});var nh={};k(nh,{default:()=>Gg});var Gg,vi,sh=b(()=>{B();eh();Ue();z();C();Gg=M([A,th],n=>new vi(n),(n,{data:e})=>n.show(e)),vi=class{status=c("span","status",{ariaLive:"polite"});text=c("span","text");fill=c("i");bar=c("div","bar",this.fill,{role:"progressbar",ariaValueMin:"0",ariaValueMax:"100"});root=c("div","progress",c("div","line",this.status," ",this.text),this.bar);live=new Ce(()=>this.draw());data;constructor(e){this.root.dataset.testid="progress",e.append(this.root)}show(e){this.data=e,this.live.show(e),this.draw()}draw(){let{field:e,label:t}=this.data,s=e&&this.live.isNewer?this.live.values[e]:this.live.values;if(!s)return;let{status:o="",text:r,done:i,colour:a="gray",meaning:l=""}=s;y(this.status,o),this.status.title=l,y(this.text,r),this.status.style.color=`var(--st-${a}-text-color)`,this.status.style.background=`var(--st-${a}-background-color)`,this.status.hidden=!o,this.fill.className=i===null?"unknown":"",this.fill.style.width=i===null?"":`${100*i}%`,this.bar.ariaValueNow=i===null?null:String(Math.round(100*i)),this.bar.ariaLabel=t||`${o} ${r}`}close(){this.live.close(),this.root.remove()}}});var rh,oh=b(()=>{rh=`/* The architecture diagram: what a page adds to the drawing, which has its own look. */
.arch {
  --glow: var(--st-primary-color);
  color: var(--st-text-color);
  display: block;
  font-family: var(--st-font);
  font-variant-numeric: tabular-nums;
  height: auto;
  overflow: visible;
  width: 100%;
}
.arch .part {
  outline: none;
}
.arch [role="button"] {
  cursor: pointer;
}
.arch [role="button"]:is(:hover, :focus-visible) :is(.box, .chip) {
  fill-opacity: 0.24;
  stroke-opacity: 1;
  stroke-width: 1.9;
}
.arch [role="button"].flow:is(:hover, :focus-visible) .wire {
  stroke-opacity: 1;
  stroke-width: 3.2;
}
.arch [role="button"]:focus-visible :is(.box, .chip),
.arch .flow:focus-visible .wire {
  stroke: var(--glow);
  stroke-dasharray: 4 2;
}
.arch .lit :is(.box, .chip),
.arch .lit.flow .wire {
  filter: drop-shadow(0 0 3px var(--glow));
  stroke: var(--glow);
  stroke-opacity: 1;
  stroke-width: var(--map-lit-width, 2.6);
}
.arch .lit .box,
.arch .lit[role="button"]:is(:hover, :focus-visible) .box {
  fill-opacity: var(--map-lit, 0.05);
}
.arch * {
  vector-effect: var(--map-strokes, none);
}
.arch text {
  scale: var(--map-text-scale, 1); /* on a slide, as large as the boxes allow */
  transform-box: fill-box;
  transform-origin: left;
  visibility: var(--map-text, visible); /* hidden where the whole picture is as small as a stamp */
}
.arch :is(.key text, .strong, .on-pill) {
  scale: 1; /* where texts stand close */
}
.arch text[text-anchor="middle"] {
  transform-origin: center;
}
.arch text[text-anchor="end"] {
  transform-origin: right;
}
.arch .along :is(.rail, .wire) {
  stroke: var(--glow);
  stroke-opacity: 0.55;
}
.arch .along.joined :is(.rail, .wire) {
  stroke-opacity: 1;
}
.arch .along :is(.tip, .cell) {
  fill: var(--glow);
}
.arch .along .box {
  stroke: var(--glow);
  stroke-opacity: 0.8;
}
.arch.whole :is(.rail, .wire, .box) {
  stroke: var(--glow);
  stroke-opacity: 0.6;
}
.arch.whole .box {
  fill-opacity: 0.2;
}
.arch .here .frame {
  stroke: var(--glow);
  stroke-opacity: 0.65;
  stroke-width: 1.4;
}
`});var ah={};k(ah,{default:()=>Vg,follow:()=>Ei,go:()=>Me,unfollow:()=>Li});function Ei(n,e,{parentElement:t,setStateValue:s}){K.set(n,{...e,host:t.host??t}),to.adopt(e,o=>s("acts",o)),me.set(n,e)}function Li(n){me.set(n,null),K.set(n,null)&&to.release()}function ih(){return!!K.value?.host.isConnected}function Me(n){return ih()?(to.add("go","",n),innerWidth<Fg&&eo?.host.scrollIntoView({behavior:he()?"auto":"smooth"}),!0):!1}var Fg,Kg,to,eo,Vg,Ti,Vn=b(()=>{Ke();ie();ne();J();z();C();oe();Fg=640,Kg={ArrowRight:["operation",1],ArrowLeft:["operation",-1],PageDown:["operation",1],PageUp:["operation",-1],"Shift+ArrowRight":["sublayer",1],"Shift+ArrowLeft":["sublayer",-1],".":["time",1],",":["time",-1],g:["gradient",1]},to=new V,eo=null,Vg=M(ve,n=>new Ti(n),n=>eo=n);document.addEventListener("keydown",n=>{if(!ih()||!Y(n))return;let[e,t]=Kg[He(n)]??[];!e||e==="operation"&&(t>0?K.value?.last:K.value?.first)&&document.documentElement.hasAttribute("data-present")||(n.preventDefault(),(!n.repeat||e!=="gradient")&&to.add(e,"",t))});Ti=class{host;list=c("ol","wrap");menu=c("div","menu",{role:"menu",popover:"auto"});nav=c("nav","crumbs",this.list,this.menu,{ariaLabel:"Path of this operation"});tour=c("nav","tour wrap",{ariaLabel:"Short tour"});sentence=c("p","tour-sentence",{role:"status"});unwatch;constructor(e){this.host=e.host??e,this.host.style.scrollMarginTop="4.5rem",e.append(this.tour,this.sentence,this.nav),this.listen(),this.unwatch=K.watch(t=>t&&this.draw(t))}close(){this.tour.remove(),this.sentence.remove(),this.nav.remove(),eo===this&&(eo=null),this.unwatch()}listen(){let{list:e,menu:t}=this,s=r=>r.target.closest("button"),o=()=>t.getRootNode().activeElement;e.addEventListener("click",r=>{let i=s(r);i&&(i===e.lastElementChild?.firstElementChild?this.openMenu(i):Me({name:i.value}))}),t.addEventListener("click",r=>{let i=s(r);i&&(t.hidePopover(),Me({name:i.value}))}),t.addEventListener("keydown",r=>{let i=[...t.querySelectorAll("button")],a=i.findIndex(d=>d===o()),l={ArrowDown:a+1,ArrowUp:a-1+i.length,Home:0,End:i.length-1}[r.key];r.stopPropagation(),l!==void 0&&(r.preventDefault(),i[l%i.length].focus())}),t.addEventListener("toggle",r=>{let i=e.querySelector("button.last");i?.setAttribute("aria-expanded",String(r.newState==="open")),r.newState==="closed"&&t.contains(o())&&i?.focus()})}draw({lit:e,crumbs:t,stops:s=[]}){let{host:o,tour:r,list:i,menu:a}=this;r.hidden=!s.length,o.closest(fn)?.style.setProperty("flex-basis",s.length?"100%":"");let l=[...r.children],d=l.pop()??x("stop end","End tour",()=>Me({ends:!0}));de(r,[...s.map(([u,p],f)=>{let g=l[f]??x("stop",`${f+1} ${u}`,()=>Me({name:g.value}));return Object.assign(g,{value:p,ariaCurrent:p===e?"step":null})}),d]),this.sentence.hidden=!s.length,y(this.sentence,s.find(([,u])=>u===e)?.[2]??"");let m=r.querySelector("[aria-current]");for(m&&(r.scrollLeft=m.offsetLeft-(r.clientWidth-m.offsetWidth)/2),a.dataset.lit!==e&&a.matches(":popover-open")&&a.hidePopover(),a.dataset.lit=e;i.children.length>t.length;)i.lastElementChild?.remove();for(;i.children.length<t.length;)i.append(c("li","",c("button","",{type:"button"})));let h=i.querySelectorAll("button");t.forEach(([u,p],f)=>{let g=h[f],w=f===t.length-1;y(g,u),g.classList.toggle("last",w),Object.assign(g,{value:p,...w?{ariaCurrent:"step",ariaHasPopup:"menu",ariaExpanded:"false"}:{ariaCurrent:null,ariaHasPopup:null,ariaExpanded:null}})}),i.scrollLeft=i.scrollWidth}openMenu(e){let{menu:t}=this,s=K.value?.lit,o=s===void 0?[]:Kt.value?.(s)??[];if(!o.length)return;let r={type:"button",role:"menuitem",tabIndex:-1};t.replaceChildren(...o.map(({label:m,name:h})=>c("button","",m,{...r,value:h,ariaCurrent:h===s?"step":null}))),t.showPopover();let i=e.getBoundingClientRect(),{offsetWidth:a,offsetHeight:l}=t,d=innerHeight-i.bottom-8;t.style.left=`${Math.max(8,Math.min(i.left,document.documentElement.clientWidth-a-8))}px`,t.style.top=`${l<=d?i.bottom+4:Math.max(8,innerHeight-l-8)}px`,(t.querySelector("[aria-current]")??t.querySelector("button"))?.focus()}}});var lh={};k(lh,{default:()=>Xg});function Yg(n,e,[t,s]){let o=l=>{let d=(l.querySelector(".box")??l).getBoundingClientRect();return[d.x+d.width/2,d.y+d.height/2]},[r,i]=o(e),a=null;for(let l of n){let[d,m]=o(l),h=(d-r)*t+(m-i)*s,u=Math.abs((d-r)*s)+Math.abs((m-i)*t);if(l===e||h<=u)continue;let p=h+2*u;p<(a?.far??1/0)&&(a={part:l,far:p})}return a?.part}var Jg,Xg,Si,ch=b(()=>{oh();ne();Vn();oe();$s();z();Jg={ArrowUp:[0,-1],ArrowDown:[0,1],ArrowLeft:[-1,0],ArrowRight:[1,0]},Xg=M([rh],n=>new Si(n),(n,{data:{svg:e,action:t},setTriggerValue:s})=>{n.open=o=>Me({part:o})||s("part",o),n.action=t,n.svg!==e&&n.draw(e),n.unwatch(),n.unwatch=me.watch(o=>n.light(o))}),Si=class{root;parts=[];stop=null;svg="";action="";open=()=>{};unwatch=()=>{};closing=new AbortController;constructor(e){this.root=e.querySelector(".picture"),this.listen()}close(){this.closing.abort(),this.unwatch(),this.root.replaceChildren()}draw(e){let{activeElement:t}=this.root.getRootNode(),s=t instanceof SVGElement&&t.dataset.part;this.svg=e,this.root.innerHTML=e;let o=this.root.querySelector("svg"),r=o?.querySelector("title");if(!o||!r)throw new Error("The picture is no drawing with a title.");Object.assign(o,{role:"group",ariaLabel:`${r.textContent}: parts, arrow keys move`}),r.remove(),this.parts=[...o.querySelectorAll("[data-part]")];for(let i of this.parts){for(let l of i.querySelectorAll("g, text, tspan"))l.after(" ");let a=i.textContent?.replace(/\s+/g," ").trim();Object.assign(i,{role:"button",ariaLabel:`${i.dataset.name}: ${a}`}),i.setAttribute("aria-description",`${i.dataset.shape}. ${i.dataset.tip}`)}this.setStop(this.parts.find(i=>i.dataset.part===s)??this.parts[0]),s&&this.stop?.focus({preventScroll:!0})}setStop(e){for(let t of this.parts)t.setAttribute("tabindex",t===e?"0":"-1");this.stop=e}light(e){this.root.querySelector("svg")?.classList.toggle("whole",!!e?.whole);for(let t of this.parts){let s=e?.parts?e.parts.includes(t.dataset.part??""):t.dataset.part===e?.part;t.classList.toggle("lit",s),t.ariaCurrent=s?"step":null,s&&!this.root.matches(":focus-within")&&this.setStop(t)}for(let t of this.root.querySelectorAll("[data-along]")){let s=t.dataset.along===e?.along;t.classList.toggle("along",s),t.classList.toggle("joined",s&&!!e?.joined)}for(let t of this.root.querySelectorAll("[data-stack]")){let s=t.querySelector(".times");if(!s)continue;let o=s.dataset.all??=s.textContent??"",r=t.dataset.stack===e?.stack;t.classList.toggle("here",r),s.textContent=r?o.replace("×",`layer ${e?.layer} of`):o}}listen(){let{signal:e}=this.closing,t=(o,r)=>this.root.addEventListener(o,i=>{let a=i.target instanceof Element&&i.target.closest("[data-part]");a&&r(a,i)},{signal:e}),s=o=>Cs(o,o.dataset.name,o.dataset.shape,o.dataset.tip,this.action);t("pointerover",(o,r)=>r.pointerType!=="touch"&&s(o)),t("pointerout",Ms),t("focusin",o=>{this.setStop(o),o.matches(":focus-visible")&&s(o)}),t("focusout",Je),t("click",o=>this.open(o.dataset.part)),t("keydown",(o,r)=>{if(r.ctrlKey||r.altKey||r.metaKey)return;let i=Jg[r.key];if(!(!i&&r.key!=="Enter"&&r.key!==" ")){if(Q(r),!i)return this.open(o.dataset.part);Yg(this.parts,o,i)?.focus()}})}}});var hh={};k(hh,{explain:()=>Mi,restore:()=>$i});function Mi({head:n,prose:e,formula:t}){let s=document.querySelector(`${Ci} ${dh}`)?.innerHTML??"",o=[[".operation",n],[".sentence",e]];for(let[a,l]of o){let d=document.querySelector(`${Ci} ${a}`)?.parentElement;if(!d)continue;let m=Jn.find(p=>p.node===d),h=m&&m.now===d.innerHTML?m.before:d.innerHTML;d.innerHTML=l;let u=d.querySelector(dh);u&&(u.innerHTML=s),Jn=[...Jn.filter(p=>p!==m),{node:d,before:h,now:d.innerHTML}]}let r=bt?.drawn.isConnected?bt.drawn:document.querySelector(`${Ci} .katex-display`);if(!r)return;bt?.own.remove();let i=c("div","followed-formula");i.innerHTML=t,r.style.display="none",r.after(i),bt={drawn:r,own:i}}function $i(){for(let{node:n,before:e,now:t}of Jn)n.innerHTML===t&&(n.innerHTML=e);Jn=[],bt&&(bt.own.remove(),bt.drawn.style.display=""),bt=null}var Ci,dh,Jn,bt,Ai=b(()=>{J();C();Ci=U("slide-operation"),dh=".time-message",Jn=[],bt=null});var mh={};k(mh,{asker:()=>Oi,question:()=>Ni});function Ni(n,e,t,s){let o=new URLSearchParams({operation:e,at:t.join(","),...s&&{gradient:"1"}});return new URL(`./walk/${encodeURIComponent(n||"none")}/cell?${o}`,document.baseURI).href}var Qg,Zg,Ri,Oi,Hi=b(()=>{Xe();Qg=500,Zg=1e4,Ri={lines:[],strips:[]},Oi=()=>new Le(Qg,async(n,e)=>{try{let t=await fe(n,Zg,e);return t.status===410?{...Ri,gone:!0,problem:""}:t.ok?await t.json():{...Ri,problem:await t.text()}}catch{return{...Ri,problem:"Server not responding. Point at the cell again."}}})});var wh={};k(wh,{Expression:()=>Yn});function fh(n){return n.terms.length>0&&n.terms.every(e=>e.every(t=>t===0||t===1))}function ib(n,e){let t=c("div","line"),s=qt("maths",`Expression ${n.name||e+1}`);for(let[o,r]of[["symbolic",n.symbolic],["numbers",n.numbers]]){let i=c("span",o);i.innerHTML=r,s.append(o==="numbers"?"=":"",i)}return t.append(s),n.name&&!s.textContent.startsWith(n.name)&&s.prepend(c("span","name",n.name)),n.terms.length&&t.append(ab(n)),t}function ab(n){let e=n.terms[0].length-1,t=(i,a)=>[i,...a].map(l=>l.padStart(Xn)).join(""),s=[t(n.over,n.terms.map((i,a)=>String(n.indices?.[a]??a+1)))],o=bh(n);for(let i=0;i<e;i++)s.push(t(i&&o?"×":"",n.terms.map(a=>Pi(a[i]))));if(e!==1||n.terms.some(i=>i[0]!==i[1])){let i=n.terms.some(a=>a.some(l=>Number(Pi(l))!==l));s.push(t(o?i?"≈":"=":"→",n.terms.map(a=>Pi(a[e]))))}let r=qt("terms",`${n.terms.length} terms${n.name&&` of ${n.name}`}`,c("pre","",s.join(`
`)));return gh.set(r,n),r}function bh(n){return n.terms.every(e=>{let t=e.slice(0,-1).reduce((s,o)=>s*Number(o),1);return e.length>2&&Math.abs(t-Number(e.at(-1)))<=1e-6*Math.max(1,Math.abs(t))})}function Pi(n){let e=q(n);return e.length<Xn?e:Number(n).toExponential(1)}function lb(n){let e=n.terms.length;return e<2?q(n.value):`${q(n.value)}, sum of ${e} ${bh(n)?"products":"terms"}`}function cb(n,e){let s=n==="relu"?f=>Math.max(0,f):f=>f/2*(1+db(f/Math.SQRT2)),o=Math.max(3,Math.ceil(Math.abs(e))),r=o,i=-o/4,[a,l]=[160,100],d=f=>(f+o)/(2*o)*a,m=f=>l-(f-i)/(r-i)*l,u=Array.from({length:81},(f,g)=>-o+2*o*g/80).map((f,g)=>`${g?"L":"M"}${d(f).toFixed(1)} ${m(s(f)).toFixed(1)}`).join(""),p=c("div","curve");return p.innerHTML=`<svg viewBox="-6 -6 ${a+12} ${l+12}" role="img"
    aria-label="${n} at ${q(e)} is ${q(s(e))}">
    <path class="axis" d="M0 ${m(0)}H${a}M${d(0)} 0V${l}"/><path class="graph" d="${u}"/>
    <path class="drop" d="M${d(e)} ${m(0)}V${m(s(e))}H${d(0)}"/>
    <circle cx="${d(e)}" cy="${m(s(e))}" r="4.5"/></svg>`,p.append(c("span","",`${n==="relu"?"ReLU":"GELU"}(${q(e)}) ${[e,s(e)].every(f=>Number(q(f))===f)?"=":"≈"} ${q(s(e))}`)),p}function db(n){let e=1/(1+.3275911*Math.abs(n)),t=e*(.254829592+e*(-.284496736+e*(1.421413741+e*(-1.453152027+e*1.061405429))));return Math.sign(n)*(1-t*Math.exp(-n*n))}var eb,tb,ph,Xn,nb,sb,ob,rb,uh,gh,Yn,zi=b(()=>{mt();C();eb=400,tb=640,ph="playground worked cell",Xn=9,nb=1e-4,sb=.01,ob="The model's own number differs from this calculation, by more than rounding.",rb="The model computes with about 7 digits (float32). This calculation uses 16, so small numbers can differ.",uh={axis:"",labels:"",names:null,first:0,count:1,size:1},gh=new WeakMap,Yn=class{root;onFold;open;operation="";where=c("div","where");folder=x("folder","",()=>this.fold(!this.folded),{ariaKeyShortcuts:"e",ariaLabel:"Calculation of the cell"});folded=innerWidth<=tb;strips=c("div","strips");lines=c("div","lines wrap");live=c("div","live unseen",{ariaLive:"polite"});tiles=[];theme;parameters=[];cell=null;speaking;hint="";constructor(e,t,s){this.root=e,this.onFold=t,this.open=s;let o=F("sessionStorage",ph);o&&(this.folded=o==="folded"),e.setAttribute("aria-label","How the cell was computed"),e.append(c("div","head",this.folder,this.where),this.strips,this.lines,this.live),this.showFolded()}fold(e){this.folded=e,X("sessionStorage",ph,e?"folded":"open"),this.showFolded(),this.onFold()}showFolded(){let{folder:e,folded:t}=this;this.root.classList.toggle("folded",t),e.textContent=t?"▸":"▾",e.title=`${t?"Show":"Hide"} the calculation. Key e`,e.ariaExpanded=String(!t)}expect(e,t,s){for(this.operation=e,this.theme=s,this.parameters=t,this.strips.classList.toggle("none",!t.length);this.tiles.length<t.length;){let o=Nn(this.strips);o.node.removeAttribute("role"),o.node.tabIndex=-1,o.scroller.tabIndex=0,this.tiles.push(o)}for(;this.tiles.length>t.length;)this.tiles.pop()?.node.remove();this.clear()}clear(){this.cell=null,this.root.classList.remove("waiting"),this.where.replaceChildren(c("span","hint",this.hint)),this.lines.replaceChildren(),this.showStrips([]),this.speak("")}point(e,t,s,o=()=>{}){let r=[c("span","position cut",e),c("b","value",e&&t?` = ${t}`:t)];s&&r.push(x("unlock","Unpin",o,{title:"Escape"})),this.where.replaceChildren(...r),this.root.classList.add("waiting")}value(e,t){this.point(e,t,!1),this.root.classList.remove("waiting")}bare(e){this.cell=null,this.root.classList.remove("waiting"),this.lines.replaceChildren(),this.showStrips([]),this.speak(e)}tell(e,t,s){if(this.root.classList.remove("waiting"),this.cell===e)return;if(this.cell=e,e.problem){this.lines.replaceChildren(c("p","problem",e.problem)),this.showStrips([]);return}let[o,...r]=[...e.lines].reverse(),i=r.reverse().sort((h,u)=>Number(fh(h))-Number(fh(u))),a=[o,...i].map(ib);e.curve&&a.push(cb(...e.curve));let l=e.readers?.filter(([,h])=>h!==this.operation)??[];if(l.length){let h=l.length<(e.readers?.length??0),u=l.map(([p,f])=>x("",p,()=>this.open(f)));a.push(c("p","readers small soft",h?"Also handed back by":"Handed back by",...u))}e.remark&&a.push(c("p","small soft",e.remark));let d=Math.abs(Number(s)-Number(o.value)),m=Math.max(...[s,o.value,...o.terms.map(h=>h.at(-1))].map(h=>Math.abs(Number(h))));d>sb*m?a.push(c("p","small soft",ob)):d>nb*Math.abs(Number(o.value))&&a.push(c("p","small soft",rb)),this.lines.replaceChildren(...a),this.showStrips(e.strips),this.speak(t&&`${t} = ${lb(o)}`)}speak(e){!e||e===this.live.textContent||(clearTimeout(this.speaking),this.speaking=setTimeout(()=>this.live.textContent=e,eb))}showStrips(e){let t=this.tiles.filter((s,o)=>{let{name:r,title:i}=this.parameters[o],a=e.find(m=>m.tensor===r);if(s.title.textContent=a?a.title:i,s.node.classList.toggle("empty",!a),!a)return!1;let l=Math.max(...a.values.map(Math.abs))||1,d=a.values.length;return s.grid={strip:!0,kind:"signed",title:a.title,rows:1,columns:d,values:Float32Array.from(a.values),row:uh,column:uh,marked:null,coloured:!0,most:l,whole:!1,hidden:null},Be(s,this.theme),s.axes="",s.node.style.flex=d>1?"1 1 0":"none",Hn(s,this.theme),!0});for(let s of t)Qe(s,be(s,0,1/0),1/0,0);for(let s of t)Qe(s,s.box,1/0,0),s.scroller.scrollLeft=0,xe(s,this.theme)}progress(e,t,s){let r=[...this.lines.querySelectorAll(".terms")].find(d=>gh.get(d)===e);if(!r)return;this.root.classList.add("making"),r.style.setProperty("--done",`${(t+1)*Xn}ch`),r.classList.add("growing");let i=r.querySelector("pre"),a=i&&r.clientWidth&&i.offsetWidth/((e.terms.length+1)*Xn);r.scrollLeft=Math.max(0,(t+2)*Xn*(a??0)-r.clientWidth);let l=this.where.querySelector(".value");l&&(l.textContent=e.name?` · ${e.name} so far ${s}`:` = ${s} so far`)}grown(){this.root.classList.remove("making");for(let e of this.lines.querySelectorAll(".growing"))e.classList.remove("growing")}}});var yh={};k(yh,{play:()=>Bi,scene:()=>Di});function Di(n,e){let{expression:t}=n;return{blank(s){n.made={tensor:e.tensor,slope:e.slope,cell:s},n.repaint()},light(s,o){n.pointed=s,n.marks.clear(),n.showInputs();let r=n.find(s);r&&n.marks.cross(r,!1),n.sources(o),t.point(n.whereOf(s),"…",!1),t.tell(o,n.inWords(s))},progress:(s,o,r)=>t.progress(s,o,r),landed(s,o){t.grown(),t.value(n.whereOf(s),o)},cell:()=>n.find(e),say:s=>n.nodes.announcement.textContent=s}}async function Bi(n,e,t,s){let o=he(),r=h=>new Promise(u=>{let p=setTimeout(u,h);s.addEventListener("abort",()=>(clearTimeout(p),u()),{once:!0})});n.blank(()=>!1),n.light(e,t),n.say("These are the numbers it is computed from.");let i=[...t.lines].reverse().find(h=>h.terms.length)??null;if(i&&n.progress(i,0,"…"),await r(Ii),i&&!s.aborted){let h=ub(i),u=i.terms.length,p=Math.min(mb,hb/u),f=o?u:Math.max(1,Math.round(16/p));for(let g=f;!s.aborted&&(n.progress(i,g,h?q(h[g-1]):"…"),n.say(`${g} of ${u} terms${i.name?` of ${i.name}`:""}${h?`, so far ${q(h[g-1])}`:""}.`),await r(o?Ii:p*f),!(g>=u));g=Math.min(u,g+f));}if(s.aborted)return;let a=n.cell();if(!a)return;let{grid:l,row:d,column:m}=a;n.blank((h,u,p)=>h===e.head&&u===d&&p===m),n.landed(e,_e(l,d*l.columns+m)),n.say("This is its value. All other cells are computed the same way."),await r(Ii);for(let h=1;!o&&h<l.rows&&!s.aborted;h++)n.blank((u,p,f)=>p<h||u===e.head&&p===d&&f===m),await r(pb/l.rows)}function ub(n){let e=n.terms.map(s=>s.at(-1)??-1/0),t=s=>e.reduce((o,r)=>[...o,o.length?s(o[o.length-1],r):r],[]);return n.name&&e.length>1&&Math.max(...e)===(n.value??-1/0)?t(Math.max):e.every(Number.isFinite)?t((s,o)=>s+o):null}var Ii,hb,mb,pb,Wi=b(()=>{ie();C();Ii=900,hb=3200,mb=420,pb=1600});var xh={};k(xh,{frame:()=>ji,write:()=>Qn});function Qn(n,e){for(let t of n.children)t.classList.toggle("unused",t.textContent!==e)}function ji(n,e){let t=(a,l,d)=>{let m=c("button","",...[a].flat().map((h,u)=>c("span",u?"unused":"",h)));return d&&Object.assign(m,{ariaKeyShortcuts:d,title:`Key ${d}`}),m.addEventListener("click",l),m},s={tableButton:t(["Show as table","Show as heatmap"],e.table,"t"),playButton:t(["Compute slowly","Stop"],e.compute,"p"),allButton:t("All heads",e.all,"0"),announcement:c("span","announcement cut",{role:"status"}),clipboard:c("textarea","clipboard",{readOnly:!0,hidden:!0,ariaLabel:"The numbers, to copy"}),inputs:c("div","area inputs wrap"),arrow:c("div","arrow",{ariaHidden:"true"}),outputs:c("div","area outputs wrap"),tables:c("div","tables"),legend:c("div","legend wrap"),panel:c("section","expression")},o=[t("Copy as text",e.text),t("Copy as NumPy",e.numpy)],r=c("div","actions wrap",s.tableButton,s.playButton,...o,s.announcement,s.allButton),i=c("div","sides",s.inputs,s.arrow,s.outputs);return n.append(r,s.clipboard,i,s.tables,s.legend,s.panel),{sides:i,...s}}var Ui=b(()=>{C()});var kh={};k(kh,{Looks:()=>Zn});var Zn,qi=b(()=>{Zn=class{now={table:!1,head:null,cell:null,gradient_of:""};received="";reported=[];adopt(e,t){let s=JSON.stringify(e),o=this.reported.indexOf(s);o>=0&&this.reported.splice(0,o+1),(o<0?t||s!==this.received:!this.reported.length)&&(this.now=e,this.reported=[]),this.received=s}change(e){return this.now={...this.now,...e},this.reported.push(JSON.stringify(this.now)),this.now}}});var Th,vh=b(()=>{Th=`/* Heatmaps whose rows light together, each head with its caption. */
/* In sight whatever is pointed at: below the bar of the page. */
.announcement {
  background: var(--st-background-color);
  min-height: 1.45em;
  position: sticky;
  top: 3.75rem;
  z-index: 1;
}
.area {
  display: flex;
  flex-direction: column;
  gap: 14px;
}
.area.beside {
  flex-flow: row wrap;
  gap: 14px 32px;
}
.heading {
  font-weight: 600;
  min-height: 1.7rem;
}
.tile {
  cursor: crosshair;
}
.tile.uncovered {
  scroll-margin: 7rem 0 50vh;
}
.mark.row {
  border: 1px solid var(--st-text-color);
}
.mark.chosen {
  border: 2px solid var(--st-primary-color);
  box-shadow: 0 0 0 1px var(--st-background-color);
  min-height: 7px;
  min-width: 7px;
}
.foot button {
  display: var(--toolbar, inline-block); /* none in the presenter view */
}
.foot {
  cursor: default;
  padding-top: 4px;
}
/* Two lines, so that roles that change from step to step move nothing. */
.role-of {
  line-height: 1.35;
  margin-bottom: 3px;
  min-height: 2.7em;
}
`});var Eh={};k(Eh,{default:()=>xb});var gb,bb,wb,yb,xb,Gi,Lh=b(()=>{Ze();B();Zt();vh();ie();ge();Ot();Ht();ze();mt();ne();oe();J();z();C();gb=270,bb=480,wb=600,yb=30,xb=M([ee,A,Ie,Th],n=>new Gi(n),(n,{data:e,setTriggerValue:t})=>{n.tell=t,n.show(_(e))}),Gi=class{root;box;announcement=c("div","announcement small",{role:"status"});area=c("div","area");sizes=new ResizeObserver(()=>this.room()!==this.width&&this.layOut());unwatch;tell=()=>{};groups=[];followed=new WeakMap;cursors=new WeakMap;at=null;width=0;before=0;uncovered="";data;constructor(e){this.root=e,this.box=e.querySelector(".maps"),this.box.append(this.announcement,this.area),this.area.addEventListener("pointermove",t=>this.point(this.below(t))),this.area.addEventListener("pointerleave",()=>this.point(null)),this.area.addEventListener("click",t=>this.choose(this.below(t))),this.area.addEventListener("keydown",t=>this.press(t)),this.area.addEventListener("focusin",t=>this.enter(t.target)),this.area.addEventListener("focusout",()=>this.point(null)),this.sizes.observe(this.box),this.unwatch=pe.watch(()=>this.layOut())}close(){this.sizes.disconnect(),this.unwatch(),this.box.replaceChildren()}show(e){this.data=e;let{tensors:t}=e;for(;this.groups.length<t.length;)this.groups.push(new le(this.area));for(;this.groups.length>t.length;)this.groups.pop()?.remove();let s=W(this.root);this.groups.forEach((o,r)=>{let i=t[r],a=Array.from(i.values).reduce((l,d)=>Number.isFinite(d)?Math.max(l,Math.abs(d)):l,0);i.scale=a||1,o.fill(i,Se(i),{},s,null),o.tiles.forEach((l,d)=>{let m=l.node.getAttribute("aria-label")??"";l.node.setAttribute("aria-label",m.replace(" Enter locks.",e.chooses?" Enter chooses the cell.":"")),this.foot(l,i,r,d);let{rows:h,columns:u}=l.grid,p=e.held&&l.room?l.room:{rows:h,columns:u};l.room={rows:Math.max(h,p.rows),columns:Math.max(u,p.columns)}})}),this.layOut(),this.uncover()}uncover(){let{chosen:e}=this.data,t=this.uncovered;if(this.uncovered=`${e}`,!e||!t||this.uncovered===t)return;let{node:s}=this.groups[e[0]].tiles[e[1]];s.classList.add("uncovered"),s.scrollIntoView({block:"nearest",behavior:he()?"auto":"smooth"}),s.classList.remove("uncovered")}foot(e,t,s,o){let r=this.data.notes[s]?.[o],i=JSON.stringify([r,this.data.opens,t.name,t.title]),a=e.node.querySelector(":scope > .foot");if(a?.dataset.key===i)return;a?.remove();let l=c("div","foot small");l.dataset.key=i;let d=r?.text?c("span","term",r.text,{tabIndex:0,role:"button"}):null;if(d?.setAttribute("aria-description",r.help),r&&l.append(c("div","role-of",d)),this.data.opens){let m={title:"Open this head in Step through",ariaLabel:`Open in Step through: ${t.title}, head ${o+1}`};l.append(x("small-button","Open",()=>this.tell("open",[t.name,o]),m))}l.children.length&&e.node.append(l)}room(){let e=this.box.clientWidth;return e===this.before&&e>this.width&&e<this.width+yb?this.width:e}layOut(){if([this.before,this.width]=[this.width,this.room()],!this.width||!this.data)return;let e=W(this.root),t=this.slideHeight();if(this.area.classList.toggle("beside",t>0||!this.data.opens),t)Ir(this.groups,this.width,t,e);else for(let s of this.groups)s.node.style.width="",Pn(s,this.width,this.width<wb?bb:gb,e);this.data.follows&&this.follow(),this.light()}follow(){for(let e of this.groups.flatMap(({tiles:t})=>t)){let{columns:t}=e.grid,s=`${t} ${this.width}`;s!==this.followed.get(e.node)&&We(e,0,t-1),this.followed.set(e.node,s)}}slideHeight(){let e=this.box.isConnected&&pe.value?(this.root.host??this.root).closest(j):null,t=e?.querySelector(un);return e&&t?Math.max(1,e.clientHeight-(t.offsetHeight-this.area.offsetHeight)):0}below({clientX:e,clientY:t}){for(let[s,{tiles:o}]of this.groups.entries())for(let[r,i]of o.entries()){let a=dt(i,e,t);if(a)return{group:s,tile:r,...a};let l=i.layer.getBoundingClientRect(),d=dt(i,l.left+i.box.gutter+1,t);if(d&&e>=l.left&&e<l.left+i.box.gutter)return{group:s,tile:r,row:d.row,column:null}}return null}point(e){this.at=e,this.light()}light(){let{at:e,data:t}=this,s=e&&this.groups[e.group].tensor.rows;this.groups.forEach((o,r)=>{let{rows:i}=o.tensor,a=s&&i.axis===s.axis&&e.row<i.count?e.row:null;o.tiles.forEach((l,d)=>{let m=[],h=(p,f,g,w=1)=>m.push({name:p,rows:[f,f+1],columns:[g,g+w]});a!==null&&h("row",a,0,l.grid.columns);let{chosen:u}=t;u&&u[0]===r&&u[1]===d&&h("chosen",u[2],u[3]),e&&e.group===r&&e.tile===d&&e.column!==null&&h("cell",e.row,e.column),l.box&&ht(l,m)})}),y(this.announcement,e?this.words(e):"")}words({group:e,tile:t,row:s,column:o}){let{tensor:r,tiles:i}=this.groups[e],{grid:a}=i[t],[l,d,m]=this.data.words,h=[r.title,a.title,Ne(l,a.row,s)].filter(Boolean).join(", ");return o===null?h:`${h}, ${Ne(d,a.column,o)}: ${m} ${_e(a,s*a.columns+o)}`}choose(e){!this.data.chooses||!e||e.column===null||this.tell("pair",[this.data.tensors[e.group].name,e.tile,e.row,e.column])}enter(e){for(let[t,{tiles:s}]of this.groups.entries()){let o=s.findIndex(d=>d.node===e);if(o<0)continue;let{grid:r,node:i}=s[o],{row:a,column:l}=this.cursors.get(i)??{row:0,column:0};this.point({group:t,tile:o,row:Math.min(a,r.rows-1),column:Math.min(l,r.columns-1)})}}press(e){let{at:t}=this,s=t&&this.groups[t.group].tiles[t.tile];if(!s||s.node!==e.target||t.column===null)return;if(e.key==="Enter")return this.choose(t);let o=Rt(e,s.grid,{row:t.row,column:t.column});o&&(Q(e),this.cursors.set(s.node,o),We(s,o.row,o.column),this.point({...t,...o}))}}});var Ch={};k(Ch,{asNumpy:()=>Ji,asText:()=>Vi,copy:()=>Xi,tableCell:()=>no,tables:()=>Fi,tint:()=>Ki});function Fi(n){return n.flatMap(e=>e.grids.map(t=>{let s=[e.tensor.title,t.title,e.note].filter(Boolean).join(", "),o=[t.row.axis&&`${t.row.axis} ↓`,t.column.axis&&`${t.column.axis} →`].filter(Boolean).join(" "),r=(l,d)=>Array.from({length:d},(m,h)=>ke(l,h)),i=Array.from({length:t.rows},(l,d)=>Array.from({length:t.columns},(m,h)=>{let u=d*t.columns+h;return c("td",t.hidden?.[u]||t.values[u]===-1/0?"hidden":"",Ho(t,u))})),a=Pt(s,i,{rows:r(t.row,t.rows),columns:r(t.column,t.columns),caption:s,corner:o});return t.marked!==null&&a.querySelector("tbody")?.rows[t.marked].classList.add("marked"),Object.assign(a,{grid:t})}))}function Ki(n,e){for(let s of n.querySelectorAll(`.${_i}`))s.classList.remove(_i);let t=n.querySelector("tbody")?.rows??[];for(let s of e.filter(({name:o})=>o!=="cross"))for(let o=Math.max(0,s.rows[0]);o<Math.min(t.length,s.rows[1]);o++){let r=t[o].cells;for(let i=Math.max(0,s.columns[0]);i<Math.min(r.length-1,s.columns[1]);i++)r[i+1].classList.add(_i)}}function no(n){let e=n instanceof Element?n.closest("tbody td"):null;return e&&{row:e.parentNode.sectionRowIndex,column:e.cellIndex-1}}function Vi(n,e){return e.map(t=>{let s=["",...Array.from({length:t.columns},(r,i)=>ke(t.column,i))].join("	"),o=Array.from({length:t.rows},(r,i)=>{let a=Sh(t,i).map(l=>t.whole?String(l):q(l));return[ke(t.row,i),...a].join("	")});return[[n.title,t.title].filter(Boolean).join(", "),s,...o].join(`
`)}).join(`

`)}function Ji(n,e){let t=n.kind==="mask"?"bool":n.whole?"int64":"float32",s=l=>t==="bool"?l?"True":"False":l===-1/0?"-np.inf":kb(l),o=(l,d)=>`[${Array.from({length:l.rows},(h,u)=>`[${Sh(l,u).map(s).join(", ")}]`).join(`,
${d} `)}]`,r=n.heads?`[${e.map(l=>o(l,"           ")).join(`,
          `)}]`:o(e[0],"          "),i=n.heads?_t("heads",{first:e[0].head,count:e.length,size:n.heads.size},1):"";return`# ${[n.name,i,_t("columns",n.columns,0)].filter(Boolean).join(", ")}
np.array(${r}, dtype=np.${t==="bool"?"bool_":t})
`}function Sh(n,e){return Array.from(n.values.subarray(e*n.columns,(e+1)*n.columns))}function kb(n){for(let e=6;e<9;e++){let t=String(Number(n.toPrecision(e)));if(Math.fround(Number(t))===n)return t}return String(Number(n.toPrecision(9)))}async function Xi(n,e){try{return await navigator.clipboard.writeText(n),"Copied."}catch{return e.value=n,e.hidden=!1,e.focus(),e.select(),"Press Ctrl+C to copy."}}var _i,so=b(()=>{C();Bn();_i="chosen"});var Mh={};k(Mh,{Marks:()=>es});function Yi({tensor:n,head:e,slope:t}){return`${n.index} ${e} ${t}`}var vb,Tb,Eb,es,Qi=b(()=>{so();mt();[vb,Tb,Eb]=[1,2,3],es=class{regions=new Map;clear(){this.regions.clear()}cross({grid:e,row:t,column:s},o){let[r,i]=[[t,t+1],[s,s+1]];o||(this.add(e,{name:"cross",rows:r,columns:[0,e.columns]}),this.add(e,{name:"cross",rows:[0,e.rows],columns:i})),this.add(e,{name:o?"cell faint":"cell",rows:r,columns:i})}source({tensor:e,grids:t},s,o){let r=(u,p)=>s[e.axes.indexOf(u)]??[0,p],[i,a]=r(vb,1/0),l=r(Tb,e.rows.count),[d,m]=r(Eb,e.columns.size).map(u=>u-e.columns.first),h=[Math.max(0,d),Math.min(e.columns.count,m)];if(!(h[0]>=h[1]))for(let u of t)u.slope===o&&u.head>=i&&u.head<a&&this.add(u,{name:"source",rows:l,columns:h})}add(e,t){let s=Yi(e);this.regions.set(s,[...this.regions.get(s)??[],t])}paintTables(e){for(let t of e)Ki(t,this.regions.get(Yi(t.grid))??[])}paintTiles(e,t){for(let s of e)for(let o of s.tiles){let r=this.regions.get(Yi(o.grid))??[],i=r.find(({name:a})=>a==="source");i&&t!==s.tensor.index&&We(o,i.rows[0],i.columns[0]),ht(o,r),o.marks.classList.toggle("veiled",r.length===1&&r[0].name==="source")}}}});var Ah,$h=b(()=>{Ah=`/* Matrices of a lesson stand beside each other where there is room. */
.matrices {
  gap: 0.75rem 2rem;
}
.heads {
  gap: 0.5rem 1.25rem;
}
figure,
.heads > * {
  max-width: 100%;
}
.picture {
  height: auto !important;
  max-width: 100%;
}
`});var Oh={};k(Oh,{default:()=>Mb});function Mb({data:n,parentElement:e}){Pe(e,[ee,A,Bs,on,Ah]);let{tensors:t,labels:s,styles:o}=_(n),r=W(e);e.querySelector(".matrices").replaceChildren(...t.map((a,l)=>$b(a,s,o[l],r)))}function $b(n,e,{digits:t,names:s,letter:o},r){let{rows:i,columns:a,heads:l}=n,d=c("figcaption","",c("b","",n.title)," ",c("span","shape small soft",Rh(n,o))),m=Array.from({length:l?.count??1},(h,u)=>{let p=s[u]?c("div","small soft",s[u]):null,f=i.count*a.count<=Sb?Ab(n,u,{digits:t,names:s},e,r):sn(n,r,{head:u,long:Cb,most:n.scale,label:`${n.title}, ${Rh(n,o)}, as a picture`});return c("div","",p,f)});return c("figure","",d,c("div","heads wrap",...m))}function Rh({rows:n,columns:e,heads:t},s){let o=[...t?[{axis:s,count:t.count}]:[],n,e],r=o.filter(({axis:l})=>l),i=r.length&&o.every(({axis:l,count:d})=>l||d===1),a=(l,d)=>l.map(({count:m})=>m).join(d);return i?`(${r.map(({axis:l})=>l).join(", ")}) = (${a(r,", ")})`:a(o," × ")}function Ab(n,e,{digits:t,names:s},o,r){let{rows:i,columns:a,values:l,kind:d,title:m}=n,h=e*i.count*a.count,u={kind:d,coloured:!0,most:n.scale||1},p=Array.from({length:i.count},(g,w)=>Array.from({length:a.count},(v,S)=>{let E=l[h+w*a.count+S],T=c("td","",Rb(E,d,t)),$=As(u,E,r);return T.style.background=re(Array.from($)),T.style.color=$n($),T})),f=[m,s[e],"table"].filter(Boolean).join(", ");return Pt(f,p,{rows:o[i.labels]?.names,columns:o[a.labels]?.names})}function Rb(n,e,t){if(Number.isNaN(n))return"nan";if(n===-1/0)return"−∞";if(e==="mask")return n?"1":"0";let s=n.toFixed(t);return(Number(s)===0?s.replace("-",""):s).replace("-","−")}var Sb,Cb,Nh=b(()=>{Ze();B();Fr();js();$h();ie();ge();ze();C();Bn();Ws();Sb=160,Cb=320});var Ph={};k(Ph,{default:()=>Ob,statement:()=>oo});function Nb(n,e){let t=c("span","line");return t.dataset.number=String(n),t.innerHTML=e||"​",t.style.setProperty("--in",String(t.textContent.search(/\S|$/)+2)),t}var Hh,Bt,oo,Ob,Zi,ea=b(()=>{ie();oe();z();C();Hh="playground name of a tensor",Bt=!1,oo=new se,Ob=M(ve,n=>new Zi(n),()=>{}),Zi=class{lines=c("code","lines");box=c("div","box",this.lines,{tabIndex:0,role:"region"});where=c("span","where");name=c("span","name cut");all=x("small-button","Show all",()=>{Bt=!Bt,this.arrange(!1)});figure=c("figure","statement",this.box,c("figcaption","",this.where,this.name,this.all));call=c("code");naming=c("span");note=c("details","note",c("summary","",this.call,this.naming),"This only gives the tensor a name. The marked statement computed it.",{open:F("sessionStorage",Hh)!=="folded"});content="";rows=[];lit=[];observer=new ResizeObserver(()=>this.arrange(!1));unwatch;constructor(e){e.append(this.figure),this.observer.observe(this.lines),this.note.addEventListener("toggle",()=>X("sessionStorage",Hh,this.note.open?"open":"folded")),this.unwatch=oo.watch(t=>t&&this.draw(t))}close(){this.observer.disconnect(),this.unwatch(),this.figure.remove()}draw({html:e,first:t,lit:s,where:o,function:r,named:i}){let a=`${t}:${e}`,l=this.content===a;l||(this.content=a,this.rows=e.split(`
`).map((d,m)=>Nb(t+m,d)),this.lines.replaceChildren(...this.rows),this.box.ariaLabel=`Source of ${r||"the statement"}`),this.lit=this.rows.slice(Math.max(0,s[0]-t),s[1]-t+1);for(let d of this.rows){let m=this.lit.includes(d);d.classList.toggle("lit",m),d.classList.toggle("begin",d===this.lit[0]),d.ariaCurrent=m?"true":null}this.note.remove(),i&&([this.call.textContent,this.naming.textContent]=[i[0],` in ${i[1]}`],this.lit.at(-1)?.after(this.note)),this.where.textContent=o,this.name.textContent=r,this.arrange(l)}arrange(e){let{box:t,all:s,lit:o}=this;if(t.classList.toggle("whole",Bt),s.textContent=Bt?"Show less":"Show all",s.ariaExpanded=String(Bt),s.classList.toggle("unused",!Bt&&t.scrollHeight<=t.clientHeight+1),Bt||!o.length)return;let[r,i]=[o[0].offsetTop,o[o.length-1]],a=i.offsetTop+i.offsetHeight-r,l=Math.max(0,(t.clientHeight-a)/2);t.scrollTo({top:r-l,behavior:e&&!he()?"smooth":"auto"})}}});var ro,ta=b(()=>{ro=`.tensors {
  container-type: inline-size;
  display: flex;
  flex-direction: column;
  font-size: max(0.875rem, var(--least, 0px));
  gap: 8px;
  reading-flow: source-order;
}
.actions {
  align-items: center;
  display: var(--toolbar, flex); /* none in the presenter view */
  gap: 6px;
  min-height: 1.75rem;
}
.actions button {
  display: inline-grid;
  place-items: center;
}
.actions button > span {
  grid-area: 1 / 1;
}
.announcement {
  flex: 1 1 8rem;
  min-width: 0;
}
.clipboard {
  font-family: var(--st-code-font, monospace);
  height: 6rem;
  width: 100%;
}

/* ---- tensors */
.sides {
  align-items: flex-start;
  display: flex;
  flex-direction: column;
}
.sides.beside {
  flex-direction: row;
}
.area {
  align-items: flex-start;
  flex: none;
  gap: 12px 20px;
}
.arrow {
  align-self: stretch;
  display: grid;
  flex: none;
  opacity: 0.6;
  place-items: center;
}
.arrow::before {
  content: "↓";
  font-size: 1.3rem;
}
.sides:not(.beside) .arrow {
  justify-content: start;
  padding-left: 2rem;
}
.beside .arrow::before {
  content: "→";
}
.arrow.backward::before {
  rotate: 180deg;
}
.group {
  flex: none;
}
.heading {
  align-items: center;
  column-gap: 0.5rem;
  max-width: 100%;
  min-height: 1.9rem;
}
.name {
  font-weight: 650;
}
.letter {
  font-size: max(0.8rem, var(--least, 0px));
}
.note,
.range {
  font-size: max(0.8rem, var(--least, 0px));
  opacity: 0.85;
}
.folds {
  align-items: center;
  display: inline-flex;
  gap: 4px;
}
.folds button {
  min-height: 1.5rem;
  min-width: 1.75rem;
  padding: 0;
}
.line-end {
  flex-basis: 100%;
  margin-top: -12px;
}
.tile {
  cursor: crosshair;
  scroll-margin: 4.5rem 0 calc(clamp(9rem, 20vh, 15rem) + 1rem);
}
.mark.cross {
  border: 1px solid var(--st-text-color);
  opacity: 0.4;
}
.mark.faint {
  border-style: dotted;
}
.mark.source {
  border: 2px solid var(--st-text-color);
  min-height: 5px;
  min-width: 5px;
}
/* Answers to a question. */
.mark.asked {
  border: 2px dashed var(--st-primary-color);
  box-shadow: 0 0 0 1px var(--st-background-color), inset 0 0 0 1px var(--st-background-color);
  color: var(--st-text-color);
  display: grid;
  font-size: max(0.75rem, var(--least, 0px));
  font-weight: 700;
  line-height: 1;
  min-height: 9px;
  min-width: 9px;
  place-content: center;
  text-shadow: 0 0 2px var(--st-background-color), 0 0 2px var(--st-background-color), 0 0 3px var(--st-background-color);
}
.mark.own {
  border-style: solid;
}
.mark.true {
  border: 3px double var(--st-text-color);
}
.picking .outputs .layer {
  cursor: cell;
  outline: 2px solid var(--st-primary-color);
}
.veiled .mark.source {
  box-shadow: 0 0 0 9999px color-mix(in srgb, var(--st-background-color) 60%, transparent);
}

/* ---- tables */
.tables {
  display: none;
}
.as-table .tables {
  display: flex;
  flex-direction: column;
  gap: 12px;
}
.as-table .sides,
.as-table .legend {
  display: none;
}
.tables .matrix {
  max-height: 26rem;
}
td {
  background: var(--st-secondary-background-color);
  cursor: crosshair;
}
thead td {
  background: none;
}
td.hidden {
  font-style: italic;
  opacity: 0.8;
}
td.chosen {
  background: color-mix(in srgb, var(--st-primary-color) 28%, transparent);
}
tr.marked th {
  box-shadow: inset 4px 0 var(--st-primary-color);
}

/* ---- legend */
.legend {
  font-size: max(0.75rem, var(--least, 0px));
  gap: 0.25rem 1.25rem;
  min-height: 2rem;
}
.item {
  align-items: flex-start;
  display: flex;
  gap: 0.4rem;
}
.bar {
  border: 1px solid var(--st-border-color);
  border-radius: 2px;
  height: 0.75rem;
  width: 9rem;
}
.ticks {
  display: flex;
  justify-content: space-between;
}
.ticks span {
  flex: 1;
  text-align: center;
}
.ticks span:first-child {
  text-align: left;
}
.ticks span:last-child {
  text-align: right;
}
.swatch {
  border: 1px solid var(--st-border-color);
  border-radius: 2px;
  height: 0.875rem;
  width: 1.25rem;
}

/* ---- the expression: always as high, below the tensors; folded, one line, on a phone at the end of the window */
.expression {
  background: var(--st-background-color);
  border-top: 1px solid var(--st-border-color);
  box-sizing: border-box;
  display: flex;
  flex-direction: column;
  gap: 4px;
  height: var(--expression-height, clamp(9rem, 30vh, 20rem));
  max-height: var(--expression-most, none);
  min-height: var(--expression-least, 0);
  overflow: auto;
  padding-top: 4px;
}
/* Of a pinned cell it is shown whole: it doesn't change with the pointer. */
.expression.grows:has(.unlock):not(.folded) {
  height: auto;
  min-height: var(--expression-height, clamp(9rem, 30vh, 20rem));
}
.expression.folded {
  height: auto;
  min-height: 0;
  overflow: hidden;
}
.folded :is(.strips, .lines) {
  display: none;
}
.head {
  align-items: baseline;
  display: flex;
  flex: none;
  gap: 0.5rem;
}
.folder {
  flex: none;
  font-size: 1.1rem;
  padding: 0;
  min-height: 1.75rem;
  min-width: 1.75rem;
}
.where {
  align-items: baseline;
  display: flex;
  flex: 1;
  gap: 0.4rem;
  min-height: 1.9rem;
  min-width: 0;
}
.where .value {
  flex: none;
  font-variant-numeric: tabular-nums;
  min-width: min(24ch, 50%); /* a sum that grows moves nothing */
  white-space: pre;
}
.hint {
  opacity: 0.75;
}
.unlock {
  margin-left: auto;
}
.waiting .lines,
.waiting .strips {
  opacity: 0.35;
}
.making .numbers {
  visibility: hidden;
}
.lines {
  align-items: flex-start;
  gap: 6px 24px;
}
.line {
  max-width: 100%;
}
.line:first-child {
  flex-basis: 100%;
}
.line .name {
  font-size: max(0.8rem, var(--least, 0px));
  font-weight: 400;
  opacity: 0.8;
}
.maths {
  align-items: center;
  display: flex;
  gap: 0.4rem;
  flex: none;
  overflow: auto hidden;
  padding-block: 4px;
  white-space: nowrap;
}
math {
  font-size: 1rem;
}
.terms {
  border-radius: 4px;
  max-width: 100%;
  overflow-x: auto;
  width: fit-content;
}
.terms pre {
  background: var(--st-secondary-background-color);
  font: max(0.75rem, var(--least, 0px))/1.5 var(--st-code-font, monospace);
  margin: 0;
  padding: 2px 1ch 2px 0;
  width: max-content;
}
.growing pre {
  clip-path: inset(0 calc(100% - var(--done)) 0 0);
}
.strips {
  display: flex;
  flex: none;
  gap: 12px;
  height: 3.6rem;
  overflow: hidden;
}
.strips.none {
  display: none;
}
.strips .tile {
  cursor: default;
  min-width: 6rem;
}
.strips .empty .scroller {
  visibility: hidden;
}
.readers {
  align-items: baseline;
  display: flex;
  flex-wrap: wrap;
  gap: 0.4rem;
  margin: 0;
}
.curve {
  align-items: center;
  display: flex;
  gap: 0.8rem;
}
.curve svg {
  fill: none;
  flex: none;
  height: 7rem;
  stroke: currentColor;
}
.curve .axis {
  opacity: 0.4;
}
.curve .graph {
  stroke-width: 2;
}
.curve .drop {
  opacity: 0.7;
  stroke-dasharray: 3 3;
}
.curve circle {
  fill: var(--st-primary-color);
  stroke: var(--st-background-color);
  stroke-width: 1.5;
}
.problem {
  margin: 0;
}
@media (max-width: 640px) {
  .announcement {
    flex-basis: 100%;
    min-height: 1.4em;
    order: 1;
  }
  .actions {
    order: 1; /* the numbers come first */
    reading-order: 1;
  }
  .expression {
    height: auto;
    min-height: clamp(9rem, 22vh, 20rem);
  }
  .where {
    align-content: start;
    flex-wrap: wrap;
    gap: 0 0.4rem;
    min-height: 3.05rem; /* a line for the address, one for the value */
  }
  .where .position {
    flex: 1 1 100%;
  }
  .where .value {
    min-width: 0;
  }
  .expression.folded {
    bottom: 0;
    position: var(--expression, sticky);
    z-index: 1;
  }
}
`});var Ih={};k(Ih,{Tensors:()=>ao,default:()=>Ub});function sa(n,e){return!n||!e?!1:["tensor","head","row","column","slope"].every(t=>n[t]===e[t])}function cn(){return document.documentElement.hasAttribute("data-present")}var Pb,zh,zb,io,Ib,na,Db,Bb,Wb,jb,Ub,ao,Dh=b(()=>{B();Zt();ta();js();Hi();ge();zi();Ai();Ui();Ot();Vn();ne();Ht();Zs();qi();Qi();ze();Wi();J();oe();ea();so();mt();z();C();Pb=24,zh=24,zb=28,io=144,Ib=.45,na=640,Db=150,Bb=1500,Wb=2500,jb="Point at a cell of the output to see how it was computed. Click to keep it.",Ub=M([A,Ie,on,ro],n=>new ao(n),(n,e)=>{n.report=s=>e.setStateValue("look",{...s,at:Date.now()}),n.missed=s=>e.setTriggerValue("gone",s);let t=_(e.data);$i(),n.show(t),ps.set(n,s=>n.open(s)),Ei(n,t.way,e)}),ao=class{host;root;nodes;result;expression;observer=new ResizeObserver(()=>this.room()!==this.width&&this.layout());settling=new ResizeObserver(()=>this.height!==this.below(this.nodes.sides,"top")&&this.layout({held:!1}));missing="";given=[];groups=[];frames=[];looks=new Zn;marks=new es;pointed=null;shownHead=null;asker=Oi();data;output;theme;width=0;before=0;height=0;heldBy="";playing=null;made=null;report;missed;closing=new AbortController;leaving=0;asking=0;saying=0;unwatch;constructor(e){this.host=e.host??e,this.root=e.querySelector(".tensors"),this.nodes=ji(this.root,{table:()=>this.change({table:!this.look.table}),compute:()=>this.compute(),text:()=>this.copy(Vi),numpy:()=>this.copy(Ji),all:()=>this.change({head:null})}),this.result=new le(this.nodes.outputs),this.expression=new Yn(this.nodes.panel,()=>this.unfolded(),o=>Me({name:o})),this.expression.hint=jb,this.listen(),this.observer.observe(this.root),this.unwatch=[pe.watch(()=>this.settle()),ae.watch(()=>this.data&&this.reask())];let t=this.closing.signal;document.fonts.status!=="loaded"&&document.fonts.ready.then(()=>t.aborted||this.layout());let s=this.host;for(;s&&!s.matches(j);s=s.parentElement)this.settling.observe(s);for(let o of["pointerdown","keydown"])document.addEventListener(o,()=>this.settling.disconnect(),{signal:t,capture:!0,once:!0});this.watchSharpness()}listen(){let e=this.closing.signal,t=(s,o,r)=>{for(let i of o)s.addEventListener(i,r,{signal:e})};for(let s of[this.nodes.inputs,this.nodes.outputs,this.nodes.tables])t(s,["pointermove","pointerdown"],o=>this.point(this.cellOf(o))),t(s,["pointerleave"],o=>o.pointerType!=="touch"&&this.point(null)),t(s,["click"],o=>this.toggle(this.cellOf(o)));for(let s of[this.nodes.inputs,this.nodes.outputs])t(s,["pointerdown"],o=>o.target.closest('[tabindex="0"]')?.focus({preventScroll:!0})),t(s,["focusout"],o=>this.nodes.sides.contains(o.relatedTarget)||this.point(null)),t(s,["keydown"],o=>this.press(o)),t(s,["dblclick"],o=>this.solo(this.tileOf(o.target,"node")?.grid.head));t(document,["keydown"],s=>this.key(s)),t(document,["pointerdown"],s=>this.outside(s)),t(this.nodes.clipboard,["blur"],()=>this.nodes.clipboard.hidden=!0)}close(){Li(this),ps.set(this,null),this.root.replaceChildren(),this.closing.abort();for(let e of this.unwatch)e();Te.set(this,null),this.stop(),this.observer.disconnect(),this.settling.disconnect()}watchSharpness(){let e=matchMedia(`(resolution: ${devicePixelRatio}dppx)`),t=()=>{this.layout(),this.watchSharpness()};e.addEventListener("change",t,{once:!0,signal:this.closing.signal})}show(e){let t=e.operation!==this.data?.operation,s=t&&!!this.data;this.stop(),this.data=e,this.looks.adopt(e.look,t);let o=W(this.host),r=JSON.stringify(o)!==JSON.stringify(this.theme);this.theme=o,t&&(this.pointed=null,this.shownHead=null),this.asker.forget(),(t||r)&&this.expression.expect(e.operation,e.parameters,this.theme),this.compose(),s&&this.expression.speak(this.output.title),oo.set(this,e.statement),e.problem&&this.say(e.problem)}async open(e){let{walk:t,look:s,way:o}=this.data;if(e.get("gradient")||s.gradient||o.stops?.length)return!1;let r=await fetch(new URL(`./walk/${t}/operation?${e}`,document.baseURI)).catch(()=>null);if(!r?.ok)return!1;let{marks:i,explanation:a,...l}=_(new Uint8Array(await r.arrayBuffer()));if(!this.host.isConnected||this.data.walk!==t)return!1;let{most:d,reads:m}=this.data;return this.show({...l,most:d,reads:m,way:{...o,...i}}),Mi(a),K.set(this,{...this.data.way,host:this.host}),me.set(this,this.data.way),!0}get look(){return this.looks.now}change(e){this.stop(),this.report(this.looks.change(e)),this.compose()}compose(){let{tensors:e}=this.data,t=e.find(h=>h.output);if(!t)throw new Error("An operation has an output.");this.output=t;let s=h=>{if(!h.heads)return[0];let u=Se(h);return!h.output&&t.heads?[this.head()]:this.look.head!==null&&u.includes(this.look.head)?[this.look.head]:u};for(;this.given.length<e.length-1;)this.given.push(new le(this.nodes.inputs));for(;this.given.length>e.length-1;)this.given.pop()?.remove();this.groups=[...this.given,this.result],this.groups.forEach((h,u)=>this.fill(h,e[u],s(e[u])));let o=this.groups.flatMap(h=>h.grids),r=o.filter(h=>!h.slope);this.nodes.legend.replaceChildren(...Kn(r,o.filter(h=>h.slope),this.theme)),this.nodes.arrow.hidden=e.length===1,this.root.classList.toggle("as-table",this.look.table),this.host.toggleAttribute("data-locked",this.locked()!==null),Qn(this.nodes.tableButton,this.look.table?"Show as heatmap":"Show as table"),this.nodes.allButton.classList.toggle("unused",this.look.head===null||!t.heads);let i=!!this.asked()?.hides;this.nodes.playButton.disabled=this.look.table||i,this.nodes.tableButton.disabled=i;let{activeElement:a}=this.root.getRootNode(),l=()=>this.groups.flatMap(h=>h.tiles.map(({node:u})=>u)),d=(this.frames.length?this.frames:l()).findIndex(h=>h===a),m=this.frames.length>0;this.frames=this.look.table?Fi(this.groups):[],this.nodes.tables.replaceChildren(...this.frames),this.layout(),this.tell(),d>=0&&(m||this.look.table)&&(this.look.table?this.frames:l())[d]?.focus()}tell(){let{title:e,heads:t,rows:s,columns:o}=this.output,r=`${t?"H":""}${s.axis||" "}${o.axis||" "}`,i=this.look.gradient_of?null:this.look.cell;Te.set(this,{walk:this.data.walk,operation:this.data.operation,title:e,axes:r,shape:this.shape,cell:i})}get shape(){let{heads:e,rows:t,columns:s}=this.output;return[...e?[e.size]:[],t.size,s.size]}asked(){let{value:e}=ae;return e?.kind==="output"&&e.operation===this.data.operation&&String(e.shape??this.shape)===String(this.shape)?e:null}reask(){this.stop(),this.compose()}fill(e,t,s){let o=r=>this.change({...r,cell:null,..."heads"in r&&{head:null}});e.fill(t,s,{...this.data.fold,go:o},this.theme,this.madeOf(t))}head(){let{first:e,count:t}=this.output.heads??{first:0,count:1},s=i=>i!=null&&i>=e&&i<e+t,o=this.pointed?.tensor===this.output.index?this.pointed.head:null;return[this.look.head,this.locked()?.head,o,this.shownHead].find(s)??e}showInputs(){if(!this.output.heads)return;let e=this.head();this.shownHead=e;for(let t of this.groups){let{tensor:s}=t;if(!(s.output||!s.heads||t.grids[0].head===e)){this.fill(t,s,[e]);for(let o of t.tiles)Be(o,this.theme),xe(o,this.theme);this.look.table&&this.compose()}}}room(){let e=this.root.clientWidth;return e===this.before&&e>this.width&&e<this.width+Pb?this.width:e}layout({held:e=!0}={}){let t=this.room();if(t!==this.width&&([this.before,this.width]=[this.width,t]),!this.width||!this.data)return;this.theme=W(this.host);let{nodes:s,given:o,result:r,data:i,theme:a}=this;this.height=this.below(s.sides,"top");let l=this.held()&&e;this.look.table||Dr(s,o,r,this.width,this.rooms(),l,i.most,a),this.fitExpression(),this.light()}settle(e=3){this.layout({held:!1}),e>1&&requestAnimationFrame(()=>this.root.isConnected&&this.settle(e-1))}below(e,t){return innerHeight-e.getBoundingClientRect()[t]-(this.host.closest(j)?.scrollTop??0)-(cn()?zb*this.theme.scale:zh)}unfolded(){this.layout(),innerWidth<=na&&!this.expression.folded&&this.nodes.panel.scrollIntoView({block:"nearest"})}rooms(){let e=this.height-this.nodes.legend.offsetHeight;if(cn())return[e-(this.locked()?e*Ib:this.leastPresented()+zh*this.theme.scale)];let t=this.expression.folded?io/4:io;return[e-t,e-io/4]}held(){let e=JSON.stringify([this.data.operation,this.data.reads,this.width,innerHeight,this.theme,{...this.look,cell:null}]),t=e===this.heldBy;return this.heldBy=e,t}fitExpression(){let e=Math.floor(this.below(this.nodes.legend,"bottom")),{style:t}=this.nodes.panel,s=cn()?this.leastPresented():io,o=e>=s?`${e}px`:"";t.setProperty("--expression-most",cn()?innerWidth>na?`${Math.max(e,s)}px`:"none":""),this.nodes.panel.classList.toggle("grows",!cn()),t.setProperty("--expression-height",cn()||innerWidth<=na?"":o)}leastPresented(){return parseFloat(getComputedStyle(this.nodes.panel).minHeight)}tileOf(e,t="layer"){return this.groups.flatMap(({tiles:s})=>s).find(s=>s[t].contains(e))}cellOf(e){let t=this.tileOf(e.target),s=t?dt(t,e.clientX,e.clientY):no(e.target),o=t??e.target.closest(".matrix");return o&&s?this.absolute(o.grid,s):null}absolute(e,{row:t,column:s}){let{tensor:o,head:r,slope:i}=e;return{tensor:o.index,head:r,row:t,column:s+o.columns.first,slope:i}}find(e){let t=this.groups[e.tensor],s=t?t.grids.findIndex(i=>i.head===e.head&&i.slope===e.slope):-1;if(s<0)return null;let o=t.grids[s],r=e.column-o.tensor.columns.first;return r<0||r>=o.columns||e.row>=o.rows?null:{tile:t.tiles[s],grid:o,row:e.row,column:r}}locked(){let{cell:e,gradient_of:t}=this.look;if(!e)return null;let[s,o,r=0]=[...e].reverse();return{tensor:(this.data.tensors.find(({name:a,slopes:l})=>t&&a===t&&l)??this.output).index,head:r,row:o,column:s,slope:!!t}}lock({tensor:e,head:t,row:s,column:o,slope:r}){let{name:i,heads:a}=this.data.tensors[e];return{cell:a?[t,s,o]:[s,o],gradient_of:r?i:""}}isExplained({tensor:e,slope:t}){return t||e===this.output.index}point(e){this.playing||(clearTimeout(this.leaving),!e&&this.pointed?this.leaving=setTimeout(()=>{this.pointed=null,this.light()},Db):e&&!sa(e,this.pointed)&&(this.pointed=e,this.light()))}toggle(e){if(this.playing)return this.stop();if(!e)return;let t=this.asked()?.pick;if(t&&e.tensor===this.output.index&&!e.slope)return t(this.lock(e).cell??[]);if(!this.isExplained(e)||sa(e,this.locked()))return this.unlock();this.change(this.lock(e))}unlock(){this.look.cell&&this.change({cell:null})}outside(e){let t=e.composedPath();if(t.includes(this.nodes.sides)&&this.tileOf(t[0])||t.includes(this.nodes.tables)&&no(t[0]))return;t.includes(this.root)||this.point(null);let s="button, a, input, textarea, select, label, summary, [role=button], [role=slider], [role=listbox], [role=option], [role=combobox], [role=tab], [data-part], .expression, .scroller";t.some(o=>o instanceof Element&&o.matches(s))||this.unlock()}solo(e){!this.output.heads||e===void 0||(getSelection()?.removeAllRanges(),this.alone(this.look.head===e?null:e))}alone(e){let{cell:t}=this.look;this.change({head:e,cell:t&&e!==null?[e,...t.slice(1)]:t})}press(e){let t=this.tileOf(e.target,"node");if(!t||e.ctrlKey||e.altKey||e.metaKey)return;let{grid:s}=t,o=[this.pointed,this.locked()].find(l=>l&&this.find(l)?.tile===t);if(e.key==="Enter"&&o)return Q(e),this.pointed=o,this.toggle(o);let r=o??[this.locked(),this.pointed].find(l=>l?.tensor===s.tensor.index),i=Rt(e,s,(r&&this.find({...r,head:s.head,slope:s.slope}))??null);if(!i)return;Q(e),We(t,i.row,i.column);let a=this.absolute(s,i);if(this.look.cell&&this.isExplained(a))return this.pointed=a,this.change(this.lock(a));this.point(a)}key(e){if(!(!this.data||!Y(e))){if(e.key==="Escape")if(this.playing)this.stop();else if(this.look.cell)this.unlock();else return this.point(null);else if(e.key==="t")this.nodes.tableButton.disabled||this.change({table:!this.look.table});else if(e.key==="p")this.compute();else if(e.key==="e")this.expression.fold(!this.expression.folded);else if(e.key==="0")this.look.head!==null&&this.change({head:null});else if(e.key>="1"&&e.key<="9"&&e.key.length===1){let t=Number(e.key)-1;this.output.heads&&t<this.output.heads.size&&this.look.head!==t&&this.alone(t)}else return;e.preventDefault()}}light(){if(this.playing)return;let e=this.locked(),t=e||this.pointed||this.asked()?.hides?null:this.example(),s=e??this.pointed??t;this.showInputs();let o=s&&this.find(s);this.marks.clear(),this.markAsked();let r=this.pointed&&e&&!sa(this.pointed,e)&&this.find(this.pointed);if(r&&this.marks.cross(r,!0),!s||!o&&!e)return this.asker.forget(),this.paint(),this.expression.clear();if(o&&this.marks.cross(o,!1),this.paint(),this.asked()?.hides)return this.asker.forget(),this.expression.clear();this.nodes.arrow.classList.toggle("backward",s.slope);let i=this.whereOf(s),a=o?_e(o.grid,o.row*o.grid.columns+o.column):"";if(this.expression.point(t?`Example: ${i}`:i,a,!!e,()=>this.unlock()),!this.isExplained(s))return this.asker.forget(),this.expression.bare(`${i} = ${a}`);this.asker.ask(this.question(s),l=>this.answered(s,l,!t))}markAsked(){let e=this.asked();this.root.classList.toggle("picking",!!e?.pick);for(let{at:t,text:s,name:o}of e?.marks??[]){let[r,i,a=0]=[...t].reverse(),l=this.find({tensor:this.output.index,head:a,row:i,column:r,slope:!1});l&&this.marks.add(l.grid,{name:`asked ${o}`,text:s,rows:[i,i+1],columns:[l.column,l.column+1]})}}example(){let e=this.given.flatMap(i=>i.grids).find(i=>i.slope);if(e){let i=Array.from(e.values,Math.abs),a=i.indexOf(Math.max(...i));return this.absolute(e,{row:Math.floor(a/e.columns),column:a%e.columns})}let t=i=>!i.slope&&(!this.output.heads||i.head===this.head()),s=this.result.grids.find(t)??this.result.grids[0],o=s.marked??0;if(o>=s.rows)return null;let r=0;for(let i=1;i<s.columns&&s.kind==="probability";i++)s.values[o*s.columns+i]>s.values[o*s.columns+r]&&(r=i);return this.absolute(s,{row:o,column:r})}answered(e,t,s){if(t.gone)return this.again();if(this.playing)return;this.sources(t);let o=this.find(e),r=o?.grid.values[o.row*o.grid.columns+o.column];this.expression.tell(t,s?this.inWords(e):"",r)}sources(e){for(let{tensor:t,region:s,gradient:o}of e.reads??[]){let r=this.groups.find(i=>i.tensor.name===t);r&&this.marks.source(r,s,o)}this.paint()}paint(){this.marks.paintTables(this.frames),this.look.table||this.marks.paintTiles(this.groups,this.pointed?.tensor)}again(){let{walk:e}=this.data;this.missed(e),clearTimeout(this.asking),this.missing!==e&&(this.missing=e,this.asking=setTimeout(()=>this.data.walk===e&&this.light(),Bb))}question(e){let t=[0,e.head,e.row,e.column],{name:s,axes:o}=this.data.tensors[e.tensor];return Ni(this.data.walk,s,o.map(r=>t[r]),e.slope)}whereOf(e){let t=this.data.tensors[e.tensor];return[e.slope?`Gradient at ${t.title}`:t.title,t.heads&&`head ${e.head+1}`,Ne("row",t.rows,e.row-t.rows.first),Ne("column",t.columns,e.column-t.columns.first)].filter(Boolean).join(" · ")}inWords(e){return this.whereOf(e).replaceAll(" · ",", ")}async copy(e){if(this.asked()?.hides)return this.say("Hidden until the answer is revealed");let[t,s]=[!1,!0].map(r=>this.result.grids.filter(i=>i.slope===r)),o=[e(this.output,t)];s.length&&o.push(`# gradient of the loss
${e({...this.output,kind:"signed",whole:!1},s)}`),this.say(await Xi(o.join(`

`),this.nodes.clipboard))}say(e){this.nodes.announcement.textContent=e,clearTimeout(this.saying),this.saying=setTimeout(()=>this.nodes.announcement.textContent="",Wb)}compute(){if(this.playing)return this.stop();if(this.nodes.playButton.disabled)return;let e=this.absolute(this.result.grids[0],{row:0,column:0}),t=this.pointed&&this.isExplained(this.pointed)?this.pointed:null,s=[this.locked(),t,this.output.slopes&&this.example(),e].find(o=>o&&this.find(o));s&&this.asker.ask(this.question(s),async o=>{if(o.gone)return this.again();if(o.problem)return this.say(o.problem);let r=this.playing=new AbortController;Qn(this.nodes.playButton,"Stop"),await Bi(Di(this,s),s,o,r.signal),this.playing===r&&this.stop()})}stop(){this.playing&&(this.playing.abort(),this.playing=null,this.made=null,this.nodes.announcement.textContent="",Qn(this.nodes.playButton,"Compute slowly"),this.expression.grown(),this.repaint(),this.light())}repaint(){for(let e of this.groups){e.paint(this.theme,this.madeOf(e.tensor));for(let t of e.tiles)t.viewport&&xe(t,this.theme)}}madeOf({index:e}){let t=this.asked()?.hides&&e===this.output.index?{tensor:e,slope:!1,cell:()=>!1}:null;return this.made?.tensor===e?this.made:t}}});var Wh={};k(Wh,{axesOf:()=>wt,bars:()=>ra,inWords:()=>dn,numberOf:()=>lo,secondsLeft:()=>oa,truthInWords:()=>co,written:()=>Wt});function oa(n,e,t){return n===void 0?null:Math.max(0,Math.ceil(n-t/1e3-e))}function lo(n){let e=n.trim().replaceAll("−","-"),t=e.replaceAll(",",e.split(",").length>2?"":".");return/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(t)?Number(t):null}function Wt(n,e=12){let t=Math.abs(n);return n!==0&&(t<1e-4||t>=1e9)?n.toExponential(2).replace("-","−"):Number(n.toPrecision(e)).toLocaleString("en-US",{maximumFractionDigits:12}).replace("-","−")}function wt({shape:n=[],axes:e=""}){return n.map((t,s)=>{let o=e[s]==="V"?0:1;return{name:Bh[Bh.length-n.length+s],first:o,last:o+t-1}})}function dn(n,e){return e==null?"pass":n.kind==="choice"?n.choices?.[Number(e)]??"":Array.isArray(e)?n.kind==="point"?`loss ${Wt(e[1])} at step ${Wt(e[0])}`:wt(n).map(({name:t,first:s},o)=>`${t.toLowerCase()} ${e[o]+s}`).join(", "):Wt(Number(e))}function co(n){let{kind:e,truth:t=""}=n;return e==="cell"&&t?dn(n,t.split(" ").map(Number)):t}function ra(n,e){let{result:t,truth:s=""}=n,o=(l,d)=>l!=null&&String(l)===String(d),r=t?n.kind==="choice"?a(n,t):n.kind==="number"?qb(t,e,lo(s.replaceAll(",",""))):(t.positions??[]).map(([l,d])=>({label:dn(n,l),count:d,own:n.kind==="cell"&&o(e,l),right:n.kind==="cell"&&s===l.join(" ")})):[],i=Math.max(1,...r.map(({count:l})=>l));return r.map(l=>({...l,share:l.count/i}));function a({choices:l=[]},{choices:d=[]}){return l.map((m,h)=>({label:m,count:d[h]??0,own:o(e,h),right:m===s}))}}function qb({numbers:n=[]},e,t){let[s,o,r]=n;if(s===void 0||o===void 0||!r)return[];let i=(o-s)/r.length,a=l=>typeof l!="number"||l<s||l>o?-1:Math.min(r.length-1,i?Math.trunc(r.length*((l-s)/(o-s))):0);return r.map((l,d)=>({label:i?`${Wt(s+d*i,3)} to ${Wt(s+(d+1)*i,3)}`:Wt(s),count:l,own:a(e)===d,right:a(t)===d}))}var Bh,ho=b(()=>{Bh=["Head","Row","Column"]});var qh={};k(qh,{begin:()=>Jb,hostKey:()=>jt,join:()=>ca,joinLink:()=>Vb,know:()=>hn,leave:()=>Uh,open:()=>Fb,presenterLink:()=>Kb,room:()=>ce,send:()=>yt,spaced:()=>_b});function _b(n){return`${n.slice(0,3)} ${n.slice(3)}`}function jt(n){try{let e=JSON.parse(F("localStorage",mo)??"{}");return e.code===n&&typeof e.host=="string"?e.host:""}catch{return""}}async function yt(n,e={},t=qe?.code){let s=t?`./room/${t}/${n}`:"./room",o=t?jt(t):"";try{let r=JSON.stringify(o?{host:o,...e}:e),i=await fetch(new URL(s,document.baseURI),{method:"POST",body:r,headers:{"Content-Type":"application/json"}});return i.ok?{ok:!0,fields:i.headers.get("content-type")?.includes("json")?await i.json():await i.text()}:{ok:!1,status:i.status,why:await i.text()}}catch{return{ok:!1,status:0,why:"The server doesn't answer. Try again."}}}async function Fb(){let n=await yt("",{},"");return n.ok?(X("localStorage",mo,JSON.stringify(n.fields)),da(n.fields.code),""):n.why}async function ca(n,e={}){clearTimeout(aa);let t=await yt("join",e,n);return t.ok?(da(n.toUpperCase().replace(/[^A-Z0-9]/g,""),t.fields),""):(t.status||(aa=window.setTimeout(ca,Gb,n,e)),t.why)}function Uh(){jh(),clearTimeout(aa),qe=null,ce.set(ce,null)}function Kb(n){return`${new URL(`./?${la}=${n}`,document.baseURI).href}${ia}${jt(n)}`}function Vb(n){return new URL(`./?${la}=${n}`,document.baseURI).href}function hn(n){qe&&ce.set(ce,qe={...qe,...n})}function da(n,e=null){if(qe?.code===n)return hn({seat:e??qe.seat,isHost:!!jt(n)});Uh(),qe={code:n,state:null,seat:e,isHost:!!jt(n),gone:!1,late:0},ce.set(ce,qe),jh=rn(`room/${n}`,({gone:t,fields:s})=>{if(t)return hn({gone:!0});!s||s.v<(qe?.state?.v??0)||hn({state:s,gone:!1,late:s.time-Date.now()/1e3})})}async function Jb(){let n=new URLSearchParams(location.search).get(la)??"";if(location.hash.startsWith(ia)&&n&&(X("localStorage",mo,JSON.stringify({code:n,host:decodeURIComponent(location.hash.slice(ia.length))})),history.replaceState(history.state,"",location.pathname+location.search)),n&&!jt(n))return ca(n);let e=n;try{e||=JSON.parse(F("localStorage",mo)??"{}").code??""}catch{}return e&&jt(e)&&da(e),""}var la,mo,ia,Gb,ce,qe,jh,aa,po=b(()=>{Ue();oe();C();la="room",mo="playground room",ia="#host=",Gb=3e3,ce=new se,qe=null,jh=()=>{},aa=0});var Xh={};k(Xh,{AskPanel:()=>ts,askedAs:()=>ha});function ha(n,e){try{let t=JSON.parse(F("sessionStorage",Jh)??"{}");return t.code===n&&t.n===e?t.fields:null}catch{return null}}function Fh(){return Te.value?.cell?Te.value:null}function Kh({cell:n,shape:e,axes:t}){return wt({shape:e,axes:t}).map(({name:s,first:o},r)=>`${s.toLowerCase()} ${(n?.[r]??0)+o}`).join(", ")}function Zb(n){let e=10**Math.floor(Math.log10(Math.max(50,2*n)));return Math.ceil(Math.max(50,2*n)/e)*e}function Vh(n,e,t,s,o){let r=t.map(([a])=>c("input","",{type:"radio",name:e,value:a,checked:a===s}));for(let a of r)a.addEventListener("change",()=>o(a.value));return{node:c("fieldset","chips",c("legend","",n),...r.map((a,l)=>c("label","",a,c("span","",t[l][1])))),value:()=>r.find(({checked:a})=>a)?.value??s}}var Jh,Gh,_h,Xb,Yb,Qb,uo,ts,ma=b(()=>{po();oe();ho();C();Jh="playground room asked",Gh=200,_h=40,Xb=5,Yb=[["choice","Choices"],["number","A number"],["cell","A cell"],["point","A point of the loss"]],Qb=[["0","No limit"],["30","30 s"],["60","60 s"],["90","90 s"]],uo={choice:"Which …?",number:"How many …?",cell:"Where …?",point:"Where …?"};ts=class{kind="choice";lessonList=c("ol","lesson-questions");lesson=c("section","",c("h3","","Questions of this lesson"),this.lessonList);seconds=Vh("Time to answer","room-seconds",Qb,"60",()=>{});kinds=Vh("Kind of answer","room-kind",Yb,this.kind,e=>this.choose(e));text=c("textarea","",{rows:2,maxLength:Gh});choices=Array.from({length:Xb},(e,t)=>{let s=c("input","",{type:"text",maxLength:_h,ariaLabel:`Choice ${t+1}`}),o=c("input","",{type:"radio",name:"room-right",ariaLabel:`Choice ${t+1} is right`});return{input:s,right:o,row:c("div","row",s,c("label","",o," right"))}});none=c("input","",{type:"radio",name:"room-right",checked:!0});ofChoices=c("fieldset","",c("legend","","Choices, 2 to 5"),...this.choices.map(({row:e})=>e),c("label","row",this.none," none is marked as right"));truth=c("input","",{type:"text",maxLength:_h});ofNumber=c("div","",c("label","",c("span","","True value, if it is known"),this.truth));step=c("input","",{type:"number",min:"0",step:"1",oninput:()=>this.choose("point")});ofPoint=c("label","",c("span","","At step"),this.step);source=c("p","source");why=c("textarea","",{rows:2,maxLength:Gh});problem=c("p","problem",{role:"alert"});send=c("button","main","Ask the room",{type:"submit"});form=c("form","",c("h3","","Your own question"),this.kinds.node,this.source,c("label","",c("span","","Question"),this.text),this.ofChoices,this.ofPoint,this.ofNumber,c("label","",c("span","","Why? Shown with the true value; may be empty"),this.why),this.problem,this.send,{noValidate:!0});dialog;constructor(){let e=x("close","✕",()=>this.dialog.close(),{ariaLabel:"Close",title:"Close (Esc)"});this.dialog=c("dialog","room-ask",c("header","",c("h2","","Ask the room"),e),this.seconds.node,this.lesson,this.form,{ariaLabel:"Ask the room"}),this.dialog.addEventListener("keydown",t=>t.stopPropagation()),this.form.addEventListener("submit",t=>{t.preventDefault(),this.ask(this.own())})}open(e=""){this.listLesson(),this.choose(this.kind),y(this.problem,e),this.dialog.open||this.dialog.showModal()}askLesson({dataset:{lesson:e,block:t,seed:s}}){return this.ask({of:{lesson:e,block:Number(t),seed:Number(s)},seconds:Number(this.seconds.value())})}async ask(e){this.send.disabled=!0;let t=await yt("ask",e);if(this.send.disabled=!1,!t.ok)return this.open(t.why);X("sessionStorage",Jh,JSON.stringify({code:ce.value?.code,n:t.fields.question,fields:e})),this.dialog.close()}listLesson(){let e=[...document.querySelectorAll("[data-lesson][data-block]")];this.lesson.hidden=!e.length,de(this.lessonList,e.map(t=>c("li","",x("",t.dataset.title??"",()=>{this.askLesson(t)}))))}choose(e){this.kind=e,this.ofChoices.hidden=e!=="choice",this.ofPoint.hidden=e!=="point";let t=e==="number"?Fh():null;this.ofNumber.hidden=e!=="number"||t!==null;let s=rt.value;e==="point"&&s&&!this.step.value&&!this.step.matches(":focus")&&(this.step.value=String(Zb(s.step)));let[o,r,i]=this.about(e,t);y(this.source,o),this.source.hidden=!o,this.text.placeholder=r,this.send.disabled=!i}about(e,t){if(e==="choice")return["",uo.choice,!0];if(e==="number")return t?[`The true value is that of the locked cell: ${t.title}, ${Kh(t)}.`,`Which value has ${t.title} at ${Kh(t)}?`,!0]:["To ask for a value on the page, lock a cell of an operation first.",uo.number,!0];if(e==="cell"){let o=Te.value&&Te.value.shape.length>=2?Te.value:null;return o?[`A cell of the output: ${o.title}. The true cell is the one with the largest value.`,`Where is the largest value of ${o.title}?`,!0]:["Open an operation first, such as the attention weights in Step through.",uo.cell,!1]}let s=rt.value;return s?[`The run ${s.name} is at step ${s.step.toLocaleString("en-US")}. Reveal the question when it is at the step below.`,`Where will the loss be at step ${Number(this.step.value).toLocaleString("en-US")}?`,!0]:["Open a run on the Train page first.",uo.point,!1]}own(){let{kind:e}=this,t=rt.value,s=e==="number"?Fh():e==="cell"?Te.value:null,r=this.text.value.trim()||(e==="choice"||e==="number"&&!s?"":this.text.placeholder),i={kind:e,text:r,why:this.why.value.trim(),seconds:Number(this.seconds.value())};if(e==="choice"){let a=this.choices.filter(({input:l})=>l.value.trim());i.choices=a.map(({input:l})=>l.value.trim()),i.truth=a.find(({right:l})=>l.checked)?.input.value.trim()??""}else e==="number"&&!s?i.truth=this.truth.value.trim():e==="number"?i.of={walk:s?.walk,operation:s?.operation,at:String(s?.cell)}:e==="cell"?i.of={walk:s?.walk,operation:s?.operation}:i.of={run:t?.run,step:Math.round(Number(this.step.value)),measure:"loss"};return i}}});var Qh,Yh=b(()=>{Qh=`/* The room's question, and the host's window for questions. */
:is(.room-question, .room-ask) {
  --accent: light-dark(#4f46b8, #b3abff);
  --edge: #767676;
  --own: light-dark(#e9e6fb, #353067);
  color: light-dark(#1b1f2e, #e8eaf2);
  font: 1rem/1.4 "Source Sans", system-ui, sans-serif;
  font-variant-numeric: tabular-nums;
}
:is(.room-question, .room-ask) [hidden],
.room-question[hidden] {
  display: none !important;
}
:is(.room-question, .room-ask) :is(p, ul, ol, li, h2, h3, fieldset, legend) {
  border: 0;
  list-style: none;
  margin: 0;
  min-width: 0;
  padding: 0;
}
:is(.room-question, .room-ask) :is(button, input[type="text"], input[type="number"], textarea) {
  background: light-dark(#fff, #0f1219);
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
  box-sizing: border-box;
  color: inherit;
  font: inherit;
  min-height: 2.25rem;
  padding: 0.2rem 0.8rem;
}
:is(.room-question, .room-ask) button {
  background: light-dark(#f4f5f9, #262b3a);
  cursor: pointer;
  min-width: 2.25rem;
}
:is(.room-question, .room-ask) button.main {
  background: #4f46b8;
  border-color: #4f46b8;
  color: #fff;
}
:is(.room-question, .room-ask) :is(button, fieldset):disabled {
  cursor: default;
  opacity: 0.55;
}
:is(.room-question, .room-ask) :is(button, input, textarea):focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 1px;
}
:is(.room-question, .room-ask) .unseen {
  clip-path: inset(50%);
  height: 1px;
  overflow: hidden;
  position: absolute;
  width: 1px;
}
:is(.room-question, .room-ask) .problem:not(:empty) {
  border-left: 3px solid #d64a3a;
  padding-left: 0.6rem;
}
:is(.room-question, .room-ask) input:is([type="radio"], [type="checkbox"]) {
  accent-color: var(--accent);
  flex: none;
  height: 1.25rem;
  margin: 0;
  width: 1.25rem;
}

/* ---- the question */
.room-question {
  align-items: start;
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1.5rem;
}
.room-question .question {
  display: grid;
  flex: 1 1 24rem;
  gap: 0.4rem;
  max-height: 46dvh;
  min-width: 0;
  overflow-y: auto;
}
.room-question header {
  align-items: baseline;
  background: inherit;
  display: flex;
  flex-wrap: wrap;
  gap: 0 1rem;
}
.room-question .timer {
  font-size: 1.15rem;
  font-weight: 700;
}
.room-question .hurry {
  color: light-dark(#b3261e, #ff9d92);
}
.room-question .count {
  margin-left: auto;
}
.room-question .text {
  font-size: 1.15rem;
  font-weight: 600;
  max-width: 60rem;
  overflow-wrap: anywhere;
}
.room-question :is(.controls, .result, .own, .problem):empty {
  display: none;
}
.room-question fieldset,
.room-question .choices,
.room-question .fields,
.room-question .buttons {
  align-items: end;
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
}
.room-question .choice {
  align-items: center;
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
  cursor: pointer;
  display: flex;
  gap: 0.5rem;
  min-height: 2.25rem;
  overflow-wrap: anywhere;
  padding: 0.2rem 0.9rem 0.2rem 0.7rem;
}
.room-question .choice:has(:checked) {
  background: var(--own);
  border-color: var(--accent);
  box-shadow: inset 0 0 0 1px var(--accent);
}
.room-question .choice:has(:focus-visible) {
  outline: 2px solid var(--accent);
  outline-offset: 1px;
}
.room-question .hint {
  flex-basis: 100%;
}
.room-question .fields label {
  display: grid;
  gap: 0.1rem;
}
.room-question .fields input {
  width: 9rem;
}
.room-question .result {
  display: flex;
  flex-wrap: wrap;
  gap: 0.6rem 2rem;
}
.room-question .counted {
  flex: 1 1 20rem;
  min-width: 0;
}
.room-question .truth {
  display: grid;
  flex: 1 1 16rem;
  gap: 0.3rem;
  align-content: start;
}
.room-question .true {
  font-size: 1.15rem;
}
.room-question .bars {
  display: grid;
  gap: 0.2rem 0.6rem;
  grid-template-columns: minmax(4rem, max-content) minmax(3rem, 1fr) max-content max-content;
}
.room-question .bars li {
  align-items: center;
  display: grid;
  grid-column: 1 / -1;
  grid-template-columns: subgrid;
}
.room-question .what {
  overflow-wrap: anywhere;
}
.room-question .fill {
  background: linear-gradient(var(--edge), var(--edge)) no-repeat 0 / calc(100% * var(--share)) 100%;
  border-left: 1px solid currentColor;
  height: 1rem;
}
.room-question .own .fill {
  background-image: linear-gradient(var(--accent), var(--accent));
}
.room-question .right .what {
  font-weight: 700;
}
.room-question .right .fill {
  outline: 2px solid currentColor;
}
@media (min-width: 641px) {
  .room-question .upright {
    grid-auto-columns: minmax(0, 1fr);
    grid-auto-flow: column;
    grid-template: auto 4rem auto auto / none;
    max-width: 40rem;
    text-align: center;
  }
  .room-question .upright li {
    align-items: start;
    grid-column: auto;
    grid-row: 1 / -1;
    grid-template: subgrid / none;
  }
  .room-question .upright .votes {
    grid-row: 1;
  }
  .room-question .upright .fill {
    background-position: 0 100%;
    background-size: 100% calc(100% * var(--share));
    border-bottom: 1px solid currentColor;
    border-left: 0;
    grid-row: 2;
    height: 100%;
  }
  .room-question .upright :is(.what, .tag) {
    font-size: max(0.85rem, var(--least, 0px));
    line-height: 1.2;
  }
}

/* ---- the host's window */
.room-ask {
  background: light-dark(#fff, #191d28);
  border: 1px solid var(--edge);
  border-radius: 0.8rem;
  box-sizing: border-box;
  max-height: 92dvh;
  padding: 1rem 1.2rem;
  width: min(44rem, 94vw);
}
.room-ask::backdrop {
  background: rgb(0 0 0 / 0.4);
}
.room-ask header {
  align-items: center;
  display: flex;
  justify-content: space-between;
}
.room-ask h2 {
  font-size: 1.3rem;
}
.room-ask h3 {
  font-size: 1.1rem;
}
.room-ask :is(section, form, fieldset) {
  display: grid;
  gap: 0.5rem;
  margin-top: 0.7rem;
}
.room-ask form fieldset {
  margin-top: 0;
}
.room-ask label > span {
  display: block;
}
.room-ask :is(textarea, label > input:not([type="radio"])) {
  resize: vertical;
  width: 100%;
}
.room-ask .chips {
  display: flex;
  flex-wrap: wrap;
  gap: 0.2rem 1.2rem;
}
.room-ask legend {
  font-weight: 600;
}
.room-ask .chips label,
.room-ask .row,
.room-ask .row label {
  align-items: center;
  display: flex;
  gap: 0.4rem;
  min-height: 1.75rem;
}
.room-ask .row > input[type="text"] {
  flex: 1;
}
.room-ask .row label {
  white-space: nowrap;
}
.room-ask .lesson-questions {
  display: grid;
  gap: 0.3rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr));
}
.room-ask .lesson-questions button {
  height: 100%;
  text-align: left;
  width: 100%;
}
@media (max-width: 640px) {
  :is(.room-question, .room-ask) :is(input[type="text"], input[type="number"], textarea) {
    font-size: 16px; /* below that, a phone enlarges the page when a field gets the focus */
  }
  .room-question .choices {
    flex-basis: 100%;
  }
  .room-question .choice {
    flex: 1 1 40%;
  }
  .room-question .fields input {
    width: 6.5rem;
  }
}
@media (forced-colors: active) {
  .room-question .fill {
    forced-color-adjust: none;
  }
}
`});var Zh={};k(Zh,{questionArea:()=>sw});function sw(){return Pe(document,[Qh]),new ua().node}function ow(n,e){return n===null?"This isn't a number. Type one such as 1.5.":!e||Number.isInteger(n)&&n>=e.first&&n<=e.last?"":`${e.name} is a whole number from ${e.first} to ${e.last}.`}function pa({seat:n},{n:e}){return n?.question===e&&n.answered?n.answer??null:void 0}function fo(n,e,t=""){let s=c("input","",{type:"text",inputMode:e,value:t,maxLength:20,autocomplete:"off",required:!0});return{input:s,label:c("label","",c("span","",n),s)}}function rw({label:n,count:e,share:t,own:s,right:o}){let r=c("i","fill",{ariaHidden:"true"});r.style.setProperty("--share",String(t));let i=[o&&"true value",s&&"your answer"].filter(Boolean).join(", ");return c("li",[s&&"own",o&&"right"].filter(Boolean).join(" "),c("span","what",n),r,c("b","votes",String(e)),c("span","tag",i))}var tw,nw,ua,em=b(()=>{Yh();ho();ma();po();oe();ie();J();C();tw=250,nw=10;ua=class{number=c("b");count=c("span","count");timer=c("span","timer",{role:"timer"});text=c("p","text");controls=c("div","controls");own=c("p","own",{role:"status"});problem=c("p","problem",{role:"alert"});result=c("div","result");host=c("div","buttons");panel=new ts;question=c("section","question",{ariaLabel:"Question to the room"});node=c("div","room-question",this.question,this.host);news=c("p","unseen",{role:"status"});given=document.createElement("style");drawn="";announced="";marked="";ticking=0;refresh=()=>{};constructor(){this.node.append(this.news),this.question.append(c("header","",this.number,this.timer,this.count),this.text,this.controls,this.own,this.result,this.problem),document.body.append(this.panel.dialog),document.head.append(this.given),ce.watch(e=>this.draw(e)),document.addEventListener("click",({target:e})=>{let t=e instanceof Element&&e.closest(".ask-room")?.closest("[data-lesson]");t&&ce.value?.isHost&&this.panel.askLesson(t)})}draw(e){let t=e?.state&&e.state.mode!=="ended"&&!e.gone?e.state.question:null,s=!!(e?.isHost&&!e.gone&&e.state?.mode!=="ended");if(e?document.documentElement.dataset.room=s?"host":"seat":delete document.documentElement.dataset.room,this.question.hidden=!t,this.host.hidden=!s,this.node.hidden=!t&&!s,!e||!t){this.drawn=this.marked="",ae.set(this,null),this.given.textContent="",this.tick(),e&&s&&this.drawHost(e,null);return}let{counts:o}=e.state;y(this.number,`Question ${t.n}`),y(this.count,`${o.answers} of ${o.seats} answered`),y(this.text,t.text),this.question.dataset.state=t.state,this.question.dataset.kind=t.kind;let r=`${e.code} ${t.n} ${t.state} ${s}`;r!==this.drawn&&(this.drawn=r,y(this.problem,""),this.drawControls(t,s),this.tell(t,`${e.code} ${t.n} ${t.state}`)),this.drawOwn(e,t,s),this.mark(e,t),s&&this.drawHost(e,t),this.tick()}tick(){let e=ce.value,t=e?.state?.question,s=t?.state==="open"?oa(t.ends,e?.late??0,Date.now()):null;y(this.timer,s===null?"":`${s} s left`),this.timer.classList.toggle("hurry",s!==null&&s<=nw);for(let o of this.controls.querySelectorAll("fieldset"))o.disabled=s===0;clearInterval(this.ticking),this.ticking=s===null?0:window.setInterval(()=>this.tick(),tw)}drawControls(e,t){this.refresh=()=>{};let s=e.state!=="open"||t?[]:this.makeControls(e);this.controls.replaceChildren(...s.length?[c("fieldset","",...s,{ariaLabel:"Your answer"})]:[]);let{lesson:o,block:r=0}=e,i=!t&&o&&e.state!=="revealed";this.given.textContent=i?`:has([data-lesson="${CSS.escape(o)}"][data-block="${r}"]) :is(${U(`given-${r+1}`)}, ${U(`answer-${r+1}`)}) { display: none; }`:""}makeControls(e){let t=x("pass","Pass",()=>this.answer(e,null));if(e.kind==="choice")return[this.choices(e),t];let s=e.kind==="number"?[fo("Your answer, a number","decimal")]:e.kind==="point"?[fo("Step","numeric",String(e.step??"")),fo("Loss","decimal")]:wt(e).map(({name:a,first:l,last:d})=>fo(`${a} (${l} to ${d})`,"numeric")),o=x("minus","±",()=>{let[{input:a}]=s;a.value=/^[-−]/.test(a.value)?a.value.slice(1):`−${a.value}`,a.focus()},{ariaLabel:"Change the sign"}),r=c("form","fields",...s.map(({label:a})=>a),e.kind==="number"&&o,c("button","main","Send",{type:"submit"}),t);r.addEventListener("submit",a=>{a.preventDefault();let l=wt(e),d=[];for(let[m,{input:h}]of s.entries()){let u=lo(h.value),p=ow(u,l[m]);if(y(this.problem,p),p)return h.focus();d.push(u-(l[m]?.first??0))}this.answer(e,e.kind==="number"?d[0]:d)}),this.refresh=a=>{if(a==null)return;let l=wt(e).map(d=>d.first);[a].flat().forEach((d,m)=>s[m].input.value=String(d+(l[m]??0)))};let i={cell:"Click a cell of the output on the page, or type where it is.",point:"Click a point of the chart of the loss, or type it.",number:"",choice:""}[e.kind];return[...i?[c("p","hint",i)]:[],r]}choices({n:e,choices:t=[],...s}){let o=t.map((r,i)=>{let a=c("input","",{type:"radio",name:`room-choice-${e}`,value:String(i)});return a.addEventListener("change",()=>this.answer({n:e,choices:t,...s},i)),{input:a,label:c("label","choice",a,c("span","",r))}});return this.refresh=r=>o.forEach(({input:i},a)=>i.checked=r===a),c("div","choices",...o.map(({label:r})=>r))}async answer(e,t){y(this.problem,"");let s=await yt("answer",{question:e.n,answer:t}),o=ce.value;s.ok?o?.seat&&hn({seat:{...o.seat,question:e.n,answered:!0,answer:t}}):(y(this.problem,s.why),e.kind==="choice"&&this.refresh(o?pa(o,e):void 0))}drawOwn(e,t,s){let o=pa(e,t),r=`${this.drawn} ${JSON.stringify(o)}`,i=this.own.dataset.key!==r;if(this.own.dataset.key=r,!i)return;o!==void 0&&this.refresh(o);let a=o===void 0?"":o===null?"You passed":`Your answer: ${dn(t,o)}`;y(this.own,s?t.state==="closed"?"The question is closed.":"":t.state==="closed"?[a,"The question is closed. The answer appears when the host reveals it."].filter(Boolean).join(". "):t.state==="revealed"?"":a&&`${a}. You can change it until the question closes.`),this.result.replaceChildren(...t.state==="revealed"?this.makeResult(t,o):[])}mark(e,t){let{kind:s,operation:o,shape:r,step:i}=t,a=pa(e,t),l=JSON.stringify([this.drawn,a,t.result]);if(l===this.marked)return;if(this.marked=l,s!=="point"&&!o)return void ae.set(this,null);let d=[],m=t.state==="revealed";if(m&&s!=="number"){for(let[p,f]of t.result?.positions??[])d.push({at:p,text:String(f),name:"given"});s==="cell"&&t.truth&&d.push({at:t.truth.split(" ").map(Number),text:"",name:"true"})}Array.isArray(a)&&d.push({at:a,text:"",name:"own"});let u=t.state==="open"&&!e.isHost&&s!=="number"?p=>{this.answer(t,p)}:null;ae.set(this,{kind:s==="point"?s:"output",operation:o,shape:r,step:i,hides:!m&&s!=="point",pick:u,marks:d})}makeResult(e,t){let s=ra(e,t),o=e.result?.passed??0,r={cell:"The cells with most answers, also marked on the page",point:"The points with most answers, also marked on the chart",choice:"Answers",number:"Answers"}[e.kind],i=c("ul",`bars ${e.kind==="number"?"upright":""}`,{ariaLabel:r},...s.map(rw)),a=s.length?[i]:[c("p","","No answers.")],l=co(e),d=c("div","truth",...l?[c("p","true","True value: ",c("b","",l))]:[],...t!==void 0?[c("p","",t===null?"You passed.":`Your answer: ${dn(e,t)}`)]:[],...e.why?[c("p","why",c("b","","Why? "),e.why)]:[],...o?[c("p","soft",`${o} passed`)]:[]);return[c("div","counted",...a),d]}drawHost(e,t){let s=`${e.code} ${t?.n} ${t?.state}`;if(this.host.dataset.key===s)return;this.host.dataset.key=s;let o=this.host.contains(document.activeElement),r=a=>x(a==="reveal"?"main":"",a==="reveal"?"Reveal":"Close",()=>this.act(a)),i=t&&t.state!=="open"&&ha(e.code,t.n);this.host.replaceChildren(...[t?.state==="open"&&r("close"),t&&t.state!=="revealed"&&r("reveal"),i&&x("","Ask again",()=>this.panel.ask(i)),x(t?"":"main","Ask …",()=>this.panel.open(),{ariaHasPopup:"dialog"})].filter(a=>a instanceof Node)),o&&this.host.querySelector("button")?.focus()}async act(e){let t=await yt(e);y(this.problem,t.ok?"":t.why)}tell(e,t){let s=!this.announced;if(this.announced===t||(this.announced=t,s&&e.state!=="open"))return;let o=co(e),r={open:`New question: ${e.text}`,closed:"The question is closed.",revealed:o?`The answer is revealed. True value: ${o}`:"The answers are revealed."};y(this.news,r[e.state])}}});var tm={};k(tm,{default:()=>iw});var iw,fa,nm=b(()=>{B();z();C();iw=M([A],n=>new fa(n),(n,{data:e,setTriggerValue:t})=>{n.most=e.most,n.send=s=>t("file",s)}),fa=class{most=0;send=()=>{};constructor(e){let t=Tt(".txt,text/plain",([s])=>s&&this.read(s));t.ariaLabel="Text file",e.querySelector(".text-file")?.append(x("","Use a .txt file",()=>t.click()),t)}close(){}read(e){if(e.size>this.most)return this.send({size:e.size,content:""});let t=new FileReader;t.addEventListener("load",()=>{let[,s=""]=String(t.result).split(",",2);this.send({size:e.size,content:s})}),t.readAsDataURL(e)}}});var sm={};k(sm,{default:()=>lw});function cw(n){let e=x("small-button","",()=>a());e.innerHTML='<svg viewBox="0 0 20 14" aria-hidden="true"><rect x=".7" y=".7" width="18.6" height="12.6" rx="2"/><path d="M4 4.4h.1M7 4.4h.1M10 4.4h.1M13 4.4h.1M16 4.4h.1M4 7.2h.1M7 7.2h.1M10 7.2h.1M13 7.2h.1M16 7.2h.1M6 10.2h8"/></svg><span class="words">Keys</span>',Object.assign(e,{ariaHasPopup:"dialog",ariaKeyShortcuts:"?",title:"Keyboard shortcuts of this page (?)"});let t=c("dialog","keys",{ariaLabel:"Keys"});n.append(e,t);let s=c("input","",{type:"checkbox"});s.addEventListener("change",()=>Po(s.checked));let o=c("small","",aw,{id:"scope"});s.setAttribute("aria-describedby",o.id);let r=c("p","letters wrap",c("label","",s,"Single-letter shortcuts"),o),i=()=>s.checked=ls(),a=()=>{i(),t.open||t.showModal()};t.addEventListener("click",d=>{let{left:m,right:h,top:u,bottom:p}=t.getBoundingClientRect(),f=d.clientX>=m&&d.clientX<=h&&d.clientY>=u&&d.clientY<=p;(d.target===t&&!f||d.target.closest(".close"))&&t.close()}),t.addEventListener("keydown",d=>{t.open&&(d.stopPropagation(),d.key==="?"&&ls()&&t.close())});let l={open:a,tick:i,fill:d=>dw(t,d,r),close(){Ut===l&&(Ut=null),e.remove(),t.remove()}};return l}function dw(n,e,t){let s=JSON.stringify(e);if(n.dataset.shown===s)return;n.dataset.shown=s;let o=e.map(({title:i,rows:a})=>{let l=a.flatMap(([d,m])=>[c("dt","wrap",...d.map(h=>c("kbd","",h))),c("dd","",m)]);return c("section","",c("h3","",i),c("dl","",...l))}),r=c("button","close","×",{ariaLabel:"Close"});n.replaceChildren(c("header","",c("h2","","Keys"),r),t,c("div","columns",...o))}var aw,Ut,lw,om=b(()=>{ie();ne();z();C();aw="Turns shortcuts with letters, digits and punctuation on or off. Arrow keys and Esc always work.",Ut=null;zo(()=>Ut?.tick());document.addEventListener("keydown",n=>{n.key!=="?"||!Ut||!Y(n)||(n.preventDefault(),Ut.open())});lw=M(ve,cw,(n,{data:e})=>{Ut=n,Ut.fill(e)})});var uw={};function im(){let n=document.getElementById("opening"),[e,t]=[n?.querySelector(".loading [role=status]"),n?.querySelector("progress")];if(!n||!e||!t)return void(document.readyState==="loading"&&setTimeout(im));let{content:s}=document.getElementById("soon");t.max=document.querySelectorAll("head :is(script[src], link)").length+s.childElementCount;let o=new PerformanceObserver(l=>t.value+=l.getEntries().length);o.observe({type:"resource",buffered:!0});let r=()=>e.textContent=pw;addEventListener("error",r,{capture:!0});let i=0,a=()=>{document.querySelector(j)?.textContent?.trim()&&(i||=performance.now());let[l]=[...document.querySelectorAll(`${U("first-look")} *`)].map(f=>f.shadowRoot).filter(Boolean),d=!document.querySelector(".page-foot")||document.querySelector(`${j} ${Mo}`)||l&&!l.querySelector(".token, .status:not(:empty)"),m=i&&performance.now()-i>hw;if(d&&!m&&!document.querySelector("section[role=dialog]"))return setTimeout(a,mw);o.disconnect(),removeEventListener("error",r,{capture:!0});let h=n.querySelector(".look")?.shadowRoot?.querySelector("input"),u=!!h?.matches(":focus");n.remove();let p=l?.querySelector("input");!h||!p||(p.value!==h.value&&Object.assign(p,{value:h.value}).dispatchEvent(new Event("input")),u&&p.focus())};a()}var hw,mw,pw,rm,ga=b(()=>{J();hw=1e4,mw=20,pw="A part of the app didn't load. Reload the page.",rm=new URLSearchParams(location.search);document.documentElement.classList.toggle("bare",rm.has("present")||rm.has("embed"));im()});var fw={};var am=b(()=>{ga();J();window.__streamlit={BACKEND_BASE_URL:new URL("./",document.baseURI).href};{let n="(prefers-color-scheme: dark)",e="playground theme",t=matchMedia.bind(window),s=t(n),r=(()=>{try{return localStorage.getItem(e)??""}catch{return""}})(),i=!1;class a extends EventTarget{media=n;get matches(){return!i&&(r?r==="dark":s.matches)}}let l=new a,d=()=>{document.documentElement.style.colorScheme=l.matches?"dark":"light",l.dispatchEvent(Object.assign(new Event("change"),{matches:l.matches,media:n}))};s.addEventListener("change",()=>r||d());let m=document.documentElement.style;addEventListener("beforeprint",()=>{l.matches&&m.setProperty("--paper","invert(1) hue-rotate(180deg)"),document.querySelectorAll(Co).forEach(h=>h.style.setProperty("--drawn",String(h.clientWidth))),i=!0,d()}),addEventListener("afterprint",()=>{m.removeProperty("--paper"),i=!1,d()}),window.matchMedia=h=>h===n?l:t(h),window.playgroundTheme={chosen:()=>r,choose(h){r=h;try{h?localStorage.setItem(e,h):localStorage.removeItem(e)}catch{}d()}},d()}addEventListener("DOMContentLoaded",()=>{let n=document.getElementById("soon");n&&document.head.append(n.content)})});var cm={};k(cm,{default:()=>bw});function ya(n){return(n.nodes??[]).flatMap(e=>e.nodes?[e,...ya(e)]:[])}function ba(n){if(n.off)return;let e=n.nodes?lm(n).find(t=>!t.off):n;e&&Me({name:e.name})}function lm(n){return n.nodes?go(n).flatMap(lm):[n]}function go({list:n,nodes:e=[]}){return[...n?.children??[]].flatMap(t=>e.find(s=>s.item===t)??[])}var gw,$e,bw,wa,dm=b(()=>{ie();ne();Vn();oe();z();C();gw=640,$e={all:!1,shut:null},bw=M(ve,n=>new wa(n),(n,{data:e})=>n.show(e)),wa=class{root;total=c("span","soft");title=x("title","All operations ",()=>{$e.shut=!$e.shut,this.draw(),this.reveal()});all=x("small-button","Unfold all",()=>{$e.all=!$e.all;for(let e of ya(this.top))e.open=null;this.draw(),this.reveal()});tree=c("ul","tree",{role:"tree",ariaLabel:"All operations of this pass"});box=c("section","outline",c("header","",this.title,this.all),this.tree);top={depth:0,list:this.tree,nodes:[]};leaves=new Map;byItem=new WeakMap;planted="";lit=null;within=new Set;backward=null;stop=null;unwatch=()=>{};constructor(e){this.root=e,$e.shut??=innerWidth<gw,this.title.append(this.total),e.append(this.box),this.tree.addEventListener("click",t=>{let s=t.target,o=s.closest("[role=treeitem]"),r=o&&this.byItem.get(o);r&&(this.setStop(r),s.closest(".chevron")?this.toggle(r):ba(r))}),this.tree.addEventListener("keydown",t=>this.press(t))}close(){this.unwatch(),Kt.set(this,null),this.box.remove()}show(e){let t=JSON.stringify(e);this.planted!==t&&this.plant(e),this.planted=t,this.unwatch(),this.unwatch=me.watch(s=>this.light(s)),Kt.set(this,s=>{let o=this.leaves.get(s);return o?go(o.parent).filter(r=>!r.nodes&&!r.off):[]})}plant({parts:e,colours:t}){this.leaves.clear();let s=(o,{label:r,name:i,parts:a,letter:l,role:d})=>{let m=c("div","row",c("span","chevron"),c("span","label",r)),h=o.depth+1,u=c("li","",m,{role:"treeitem",ariaLabel:r,ariaLevel:String(h),tabIndex:-1}),p={label:r,name:i,parent:o,item:u,row:m,depth:h,open:null};if(u.style.setProperty("--depth",String(h-1)),this.byItem.set(u,p),a)p.list=c("ul","",{role:"group"}),p.nodes=a.map(f=>s(p,f)),p.list.append(...p.nodes.map(f=>f.item)),u.append(p.list);else if(p.at=this.leaves.size,this.leaves.set(i,p),l){let f=c("span","letter",l,{ariaHidden:"true"});f.style.background=d?t[d]:"",m.append(f)}return p};this.top.nodes=e.map(o=>s(this.top,o)),this.lit=this.backward=null,this.tree.replaceChildren(...this.top.nodes.map(o=>o.item)),this.setStop(this.top.nodes[0]),this.draw()}isOpen(e){return e.open!==null?e.open:$e.all||e.nodes?.some(t=>t.nodes)||this.within.has(e)}light(e){let t=e?.lit?this.leaves.get(e.lit):null;if(this.turn(e?.without??null),this.lit===(t??null))return;let s=this.within;this.lit=t??null,this.within=new Set;for(let o=t?.parent;o?.parent;o=o.parent)this.within.add(o),o.open===!1&&!s.has(o)&&(o.open=null);this.draw(),t&&!this.tree.contains(this.root.activeElement??null)&&this.setStop(t),this.reveal()}turn(e){let t=JSON.stringify(e);if(this.backward===t)return;let s=({list:r,nodes:i=[]})=>{let a=i.map(l=>l.item);r?.append(...e?a.reverse():a),i.filter(l=>l.nodes).forEach(s)};s(this.top);let o=new Set(e);for(let r of this.leaves.values())r.off=r.at!==void 0&&o.has(r.at),r.item.ariaDisabled=r.off?"true":null;this.total.textContent=e?`${this.leaves.size-o.size}, backward`:String(this.leaves.size),this.backward=t,this.lit=void 0}draw(){this.box.classList.toggle("shut",!!$e.shut),this.title.ariaExpanded=String(!$e.shut),this.all.textContent=$e.all?"Fold to sublayers":"Unfold all",this.all.ariaPressed=String($e.all);for(let e of ya(this.top))e.item.ariaExpanded=String(!!this.isOpen(e)),e.item.classList.toggle("within",this.within.has(e));for(let e of this.leaves.values())e.item.ariaCurrent=e===this.lit?"step":null;(!this.stop||!this.visible().includes(this.stop))&&this.setStop(this.lit??this.top.nodes[0])}reveal(){if(!this.lit||$e.shut)return;let{tree:e}=this,t=this.lit.row.getBoundingClientRect(),s=e.getBoundingClientRect(),o=Math.min(2.5*t.height,s.height/3);if(t.top>=s.top+o&&t.bottom<=s.bottom-o)return;let r=e.scrollTop+t.top-s.top-(s.height-t.height)/2;e.scrollTo({top:r,behavior:he()?"auto":"smooth"})}toggle(e){e.nodes&&(e.open=!this.isOpen(e),this.draw())}visible(e=this.top){return go(e).flatMap(t=>[t,...t.nodes&&this.isOpen(t)?this.visible(t):[]])}setStop(e){this.stop&&(this.stop.item.tabIndex=-1),e.item.tabIndex=0,this.stop=e}press(e){let t=this.byItem.get(e.target);if(!t||e.ctrlKey||e.altKey||e.metaKey||e.shiftKey)return;let s=this.visible(),o=s.indexOf(t),r=t.nodes&&this.isOpen(t),i={ArrowDown:()=>s[o+1],ArrowUp:()=>s[o-1],Home:()=>s[0],End:()=>s[s.length-1],ArrowRight:()=>t.nodes&&!r?this.toggle(t):go(t)[0],ArrowLeft:()=>r?this.toggle(t):t.parent.parent?t.parent:void 0,Enter:()=>ba(t)," ":()=>t.nodes?this.toggle(t):ba(t)};if(!Object.hasOwn(i,e.key))return;Q(e);let a=i[e.key]();if(!a)return;this.setStop(a),a.item.focus({preventScroll:!0});let l=a.row.getBoundingClientRect(),d=this.tree.getBoundingClientRect();l.top<d.top&&(this.tree.scrollTop+=l.top-d.top),l.bottom>d.bottom&&(this.tree.scrollTop+=l.bottom-d.bottom)}}});var mm,hm=b(()=>{mm=`/* A traced pass: outline, statement, calculation and tensors. The page around it has the colours and the grid. */

header { grid-column: 1 / -1; padding: 0.6rem 1rem; border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.15rem; }
h2 { flex: 1 1 12rem; margin: 0; font-size: 1.1rem; }
small { margin-left: 0.6em; color: var(--soft); font-size: 0.8rem; font-weight: 400; }
.note { margin: 0.2rem 0 0; color: var(--soft); font-size: 0.875rem; }
.outline { overflow: auto; padding: 0.5rem; background: var(--panel); font-size: 0.875rem; }
.outline details > :not(summary) { margin-left: 0.9rem; }
.outline summary { cursor: pointer; overflow-wrap: anywhere; }
.outline a { display: block; padding: 0.1rem 0.4rem; border-radius: 4px; color: inherit; text-decoration: none; }
.outline a:hover { background: var(--line); }
.outline a[aria-current] { background: var(--accent); color: var(--on-accent, var(--paper)); }
.outline .idle { color: var(--soft); }
.steps { overflow: auto; padding: 0.8rem 1rem 3rem; min-width: 0; }
.bar { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; }
button { padding: 0.3rem 0.9rem; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); color: inherit; font: inherit; }
button:not(:disabled) { cursor: pointer; }
button:disabled { color: var(--soft); opacity: 0.6; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
code, .source { font-family: ui-monospace, monospace; font-size: 0.8125rem; }
.code { margin: 0.7rem 0; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.file { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: 0.25rem 0.7rem; background: var(--panel); color: var(--soft); font-size: 0.8125rem; }
.file code { color: var(--ink); overflow-wrap: anywhere; }
.source { max-height: 14rem; list-style: decimal; margin: 0; padding: 0.4rem 0 0.4rem 3.2rem; overflow: auto; white-space: pre; }
.source li::marker { color: var(--soft); }
.source .ran { background: color-mix(in srgb, var(--accent) 18%, transparent); }
.facts { margin: 0.4rem 0; }
.facts em { margin-left: 1em; color: var(--soft); }
.cell { padding: 0.5rem 0.7rem; border-radius: 6px; background: var(--panel); overflow-wrap: anywhere; }
.cell:empty { display: none; }
.cell code { display: block; }
.cell p { margin: 0.3rem 0; }
.lines { display: flex; flex-wrap: wrap; gap: 0 2rem; }
.terms { max-height: 9rem; overflow: auto; }
.terms :is(td, th) { padding: 0 0.9rem 0 0; text-align: right; font-variant-numeric: tabular-nums; font-size: 0.8125rem; }
.terms th { position: sticky; top: 0; background: var(--panel); color: var(--soft); font-weight: 400; }
.hint { color: var(--soft); }
.tensors { display: flex; flex-wrap: wrap; gap: 1rem; margin-top: 0.9rem; align-items: flex-start; }
figure { max-width: 100%; margin: 0; }
figcaption { margin-bottom: 0.2rem; font-size: 0.875rem; overflow-wrap: anywhere; }
.result figcaption b { color: var(--accent); }
canvas[tabindex] { cursor: pointer; }
.cell a { color: inherit; }
.matrix { max-height: 26rem; overflow: auto; }
@media (max-width: 700px) {
  .steps { padding: 0.6rem; }
}
`});var um,pm=b(()=>{um=`.traced {
  --paper: var(--st-background-color);
  --panel: var(--st-secondary-background-color);
  --ink: var(--st-text-color);
  --soft: color-mix(in srgb, var(--ink) 88%, var(--paper));
  --line: var(--st-border-color);
  --accent: var(--st-primary-color);
  --on-accent: #fff;
  --positive: light-dark(#e8862a, #c96a10);
  --negative: light-dark(#3d85c6, #2f74b8);
  --hidden: light-dark(#c9ccd6, #454d5c);
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  display: grid;
  font-size: 0.95rem;
  grid-template: auto 1fr / minmax(12rem, 18rem) minmax(0, 1fr);
  line-height: 1.5;
  overflow: clip;
}
.result figcaption b {
  color: light-dark(#4f46b8, #b3abff);
}
/* The outline stays in the window, whatever is beside it. */
.outline {
  align-self: start;
  box-sizing: border-box;
  max-height: var(--outline-height, max(18rem, calc(100dvh - 26rem)));
  position: sticky;
  top: var(--outline-top, 4rem);
}
:where(.hint) {
  padding: 0 1rem;
}
@media (max-width: 700px) {
  .traced {
    grid-template: auto auto 1fr / minmax(0, 1fr);
  }
  .outline {
    max-height: 9rem;
    position: static;
  }
}
`});function va(n){return Uint8Array.from(atob(n),e=>e.charCodeAt(0)).buffer}function mn(n,e){return n.reduce((t,s,o)=>t*s+e[o],0)}function Tw(n,e){return n.map((t,s)=>{let o=n.slice(s+1).reduce((r,i)=>r*i,1);return Math.floor(e/o)%n[s]})}function Ew(n,e,t,s){if(e.declared)return t?null:new wo(n,e.declared,s).cell();let o=e.copied?.[t];return o?Lw(n,o,mn(n.pass.tensors[e.outputs[t]].shape,s)):null}function Lw(n,e,t){let s=new Int32Array(va(e.origins))[t];if(s<0)return{value:e.constant,lines:[],reads:new Map};for(let o of e.sources){if(s<ka(n.pass,o)){let r=n.of(o);return r&&{value:r[s],lines:[],reads:new Map([[`values ${o}`,new Set([s])]])}}s-=ka(n.pass,o)}return null}function Sw(n,e,t){let s=n.of(e,"gradient"),{pass:o}=n,r=mn(o.tensors[e].shape,t);if(!s)return null;let i=s[r],a=o.operations.flatMap((f,g)=>f.backward.filter(({input:w})=>w===e).map(w=>({operation:g,backward:w,cell:Cw(n,f,w,r,t)}))),l=new Map;for(let{cell:f}of a)for(let[g,w]of f?.reads??[])l.set(g,new Set([...l.get(g)??[],...w]));let d=a.flatMap(({cell:f})=>f??[]),m=[...new Set(a.filter(({cell:f})=>!f).map(f=>`from ${Ta(o,f.operation)}`))],h=i-d.reduce((f,g)=>f+g.value,0),u=[s,...a.map(({operation:f,backward:g})=>n.of(o.operations[f].outputs[g.output],"gradient")??[])],p=Math.max(...u.map(bm));return d.length&&!m.length&&!(Math.abs(h)>Mw*p)?{value:i,parts:a,rest:null,reads:l}:(Object.values(o.outputs).includes(e)&&m.push("given by the loss"),{value:i,parts:a,rest:{from:m.join(" and ")||"in another way, such as through shared memory",value:h},reads:l})}function Cw(n,e,{input:t,output:s,declared:o},r,i){if(o)return Object.values(o.reads).some(({tensor:g,what:w})=>!n.of(g,w))?null:new wo(n,o,i).cell();let a=e.copied?.[s],l=e.outputs[s],d=n.of(l,"gradient");if(!a||!d)return null;for(let f of a.sources.slice(0,a.sources.indexOf(t)))r+=ka(n.pass,f);let m=[];new Int32Array(va(a.origins)).forEach((f,g)=>f===r&&m.push(g));let h=m.reduce((f,g)=>f+d[g],0),u=m.map((f,g)=>({at:g,factors:[],value:d[f]})),p=m.length>1?[{name:"",value:h,terms:u,over:"copy",factors:[]}]:[];return{value:h,lines:p,reads:new Map([[`gradient ${l}`,new Set(m)]])}}function bm(n){let e=0;for(let t of n)Number.isFinite(t)&&(e=Math.max(e,Math.abs(t)));return e}function ka(n,e){return n.tensors[e].shape.reduce((t,s)=>t*s,1)}function Ta(n,e){return`${e+1} ${n.operations[e].function}`}function wm(n){return n.flatMap(e=>Array.isArray(e)?typeof e[0]=="string"?[e]:e:[])}function ym(n){if(n[0]==="over")return n;for(let e of wm(n)){let t=ym(e);if(t)return t}return null}function xm(n){return n[0]==="read"||n[0]==="over"?[n]:wm(n).flatMap(xm)}function $w(n){if(Math.abs(n)>6)return Math.sign(n);let e=n,t=n;for(let s=1;Math.abs(e)>1e-17*Math.abs(t);s++)e*=-n*n/s,t+=e/(2*s+1);return 2/Math.sqrt(Math.PI)*t}function L(n,e,...t){let s=document.createElement(n);return e&&(s.className=e),s.append(...t),s}function xt(n){if(!Number.isFinite(n))return Number.isNaN(n)?"NaN":n>0?"∞":"−∞";if(Number.isInteger(n)&&Math.abs(n)<1e6)return String(n);let e=Math.abs(n);return e>=.001&&e<1e5?n.toPrecision(4).replace(/\.?0+$/,""):n.toExponential(2)}function Nw(n){let e=xt(n);return e.length<=7?e:Math.abs(n)<.001||Math.abs(n)>=1e5?n.toExponential(0):n.toPrecision(3)}function fm(n,e){let{origin:t,name:s}=n.tensors[e];if(t==="operation"){let o=n.operations.findIndex(r=>r.outputs.includes(e)&&!r.passesOn);return o<0?"result":`result of ${Ta(n,o)}`}return t==="constant"?"constant":`${t} ${s}`}function pn(){return parseFloat(getComputedStyle(document.documentElement).fontSize)/16}function gm(n,e){let[t,s]=[n.getBoundingClientRect(),e.getBoundingClientRect()];n.scrollTop+=Math.min(0,s.top-t.top)||Math.max(0,s.bottom-t.bottom)}var bo,xw,kw,vw,xa,Mw,wo,Aw,Rw,Ow,yo,km=b(()=>{bo=n=>+!["b","v","0"].includes(n),xw={"+":(n,e)=>n+e,"-":(n,e)=>n-e,"*":(n,e)=>n*e,"/":(n,e)=>n/e,"//":(n,e)=>Math.floor(n/e),"%":(n,e)=>n-e*Math.floor(n/e),"**":(n,e)=>n**e,"==":(n,e)=>+(n===e),"!=":(n,e)=>+(n!==e),"<":(n,e)=>+(n<e),"<=":(n,e)=>+(n<=e),">":(n,e)=>+(n>e),">=":(n,e)=>+(n>=e)},kw={exp:Math.exp,log:Math.log,sqrt:Math.sqrt,sin:Math.sin,cos:Math.cos,tanh:Math.tanh,Phi:n=>.5*(1+$w(n/Math.SQRT2)),max:Math.max,min:Math.min},vw={sum:n=>n.reduce((e,t)=>e+t,0),mean:n=>n.reduce((e,t)=>e+t,0)/n.length,max:n=>Math.max(...n),min:n=>Math.min(...n),logsumexp:n=>{let e=Math.max(...n);return e===-1/0?e:e+Math.log(n.reduce((t,s)=>t+Math.exp(s-e),0))},any:n=>Number(n.some(Boolean))},xa=class{pass;#e=new Map;constructor(e){this.pass=e}of(e,t="values"){let s=this.pass.tensors[e][t];if(s===null)return null;let o=`${t} ${e}`,r=this.#e.get(o)??new Float32Array(va(s));return this.#e.set(o,r),r}};Mw=1e-4;wo=class{reads=new Map;names={inf:1/0,PAD:0,eps:1e-5};numbers;declared;constructor(e,t,s){this.numbers=e,this.declared=t;for(let{tensor:o,letters:r,spread:i}of Object.values(t.reads)){let{shape:a}=e.pass.tensors[o];r.forEach((l,d)=>i[d]?this.names[l.toUpperCase()]??=1:this.names[l.toUpperCase()]=a[d])}t.cell.forEach((o,r)=>o!=="0"&&(this.names[o]=s[r]+bo(o)))}cell(){let e=[];for(let[t,s]of[...this.declared.lines,["",this.declared.result]]){let o=this.value(s);t&&(this.names[t]=o),e.push({name:t,value:o,...this.terms(s)})}return{value:e.at(-1).value,lines:e,reads:this.reads}}value(e){switch(e[0]){case"number":return e[1];case"name":return this.names[e[1]];case"read":return this.read(e[1],e[2]);case"operator":return xw[e[1]](this.value(e[2]),this.value(e[3]));case"negative":return-this.value(e[1]);case"choice":return this.value(this.value(e[1])?e[2]:e[3]);case"call":return kw[e[1]](...e[2].map(t=>this.value(t)));case"all":return Number(e[1].every(t=>this.value(t)));case"over":return vw[e[1]](this.run(e,t=>this.value(t)))}}run([,,e,t,s,o],r){let i=[],a=bo(t.toLowerCase());for(let l=a;l<a+this.names[t];l++)this.names[e]=l,(!o||this.value(o))&&i.push(r(s));return delete this.names[e],i}read(e,t){let{tensor:s,what:o,letters:r,spread:i}=this.declared.reads[e],a=t.map((m,h)=>i[h]?0:this.value(m)-bo(r[h])),l=mn(this.numbers.pass.tensors[s].shape,a),d=`${o} ${s}`;return this.reads.set(d,(this.reads.get(d)??new Set).add(l)),this.numbers.of(s,o)?.[l]??NaN}terms(e){if(e[0]==="choice")return this.terms(this.value(e[1])?e[2]:e[3]);let t=ym(e);if(!t)return{terms:[],over:"",factors:[]};let s=xm(t[4]);return{terms:this.run(t,r=>({at:this.names[t[2]]-bo(t[3].toLowerCase()),value:this.value(r),factors:s.map(i=>this.value(i))})),over:t[2],factors:s.map(r=>r[1])}}};Aw=44,Rw=9,Ow=40;yo=class{pass;numbers;at=0;pinned=null;leading=new Map;gradients=!1;outline=L("nav","outline");main;previous=L("button","","Previous");next=L("button","","Next");box=L("input","");onGo;constructor(e,t,s,o,r){this.pass=e,this.numbers=new xa(e),this.onGo=o,this.main=L(r?"main":"div","steps"),this.outline.ariaLabel="Operations",this.previous.onclick=()=>this.go(this.at-1),this.next.onclick=()=>this.go(this.at+1),this.box.type="checkbox",this.box.onchange=()=>this.turn();let i=L(r?"h1":"h2","",e.title);t.append(L("header","",i,...e.notes.map(a=>L("p","note",a))),this.outline,this.main),this.drawOutline(),this.go(s)}get what(){return this.gradients?"gradient":"values"}turn(){this.gradients=!this.gradients&&this.pass.tensors.some(e=>e.gradient!==null),this.pinned&&!this.pass.operations[this.at].outputs.includes(this.pinned.tensor)&&(this.pinned=null),this.draw()}go(e){this.at=Math.max(0,Math.min(this.pass.operations.length-1,e)),this.pinned=null,this.onGo(this.at);for(let t of this.outline.querySelectorAll("a")){let s=Number(t.dataset.at)===this.at;if(t.toggleAttribute("aria-current",s),s){for(let o=t.closest("details");o;o=o.parentElement.closest("details"))o.open=!0;gm(this.outline,t)}}this.draw()}drawOutline(){let e=[["",this.outline]];this.pass.operations.forEach((t,s)=>{let o=t.calls.map(([a,l,d])=>({path:a,kind:l,number:d,key:`${a} ${d}`})),r=0;for(;r<o.length&&e[r+1]?.[0]===o[r].key;)r++;e.length=r+1;for(let{path:a,kind:l,number:d,key:m}of o.slice(r)){let h=d?` (call ${d+1})`:"",u=o[o.findIndex(g=>g.key===m)-1]?.path,p=u&&a.startsWith(`${u}.`)?a.slice(u.length+1):a,f=L("details","",L("summary","",p||l,L("small","",p?l+h:h)));f.open=r<2||this.pass.operations.length<60,e.at(-1)[1].append(f),e.push([m,f])}let i=L("a",t.passesOn?"idle":"",`${s+1} ${t.function}`);i.href=`#operation=${s+1}`,i.dataset.at=String(s),i.addEventListener("click",a=>{a.preventDefault(),this.go(s)}),e.at(-1)[1].append(i)})}draw(){let e=this.pass.operations[this.at];if(!e){this.main.replaceChildren(L("p","","This pass called no torch function."));return}let t=this.main.getRootNode().activeElement;this.previous.disabled=!this.at,this.next.disabled=this.at===this.pass.operations.length-1,this.box.checked=this.gradients;let s=e.calls.map(([E,T])=>E||T).at(-1)??"",o=L("h2","",`${this.at+1}. ${e.function}`,L("small","",s)),r=L("div","bar",o,this.previous,this.next);this.pass.tensors.some(E=>E.gradient!==null)&&r.append(L("label","",this.box," Show gradients"));let i=E=>E.map(T=>`(${this.pass.tensors[T].shape.join(", ")})`).join(", "),a=L("p","facts",`${i(e.inputs)||"no tensor"} → ${i(e.outputs)}`);e.passesOn?a.append(L("em","","It returns its input unchanged.")):!e.declared&&!e.copied&&a.append(L("em","","This call is opaque: only its numbers are known."));let{what:l,pinned:d}=this,m=d&&!this.gradients?this.cell(e,d):null,h=d&&this.gradients?Sw(this.numbers,d.tensor,d.index):null,u=(h??m)?.reads??new Map,p=[...new Set([...e.outputs,...e.inputs])].map(E=>[E,l]),g=(h?[...h.reads.keys()].map(E=>E.split(" ")).map(([E,T])=>[Number(T),E]):[]).filter(([E,T])=>!p.some(([$])=>$===E&&T===l)),w=p.findIndex(([E])=>E===d?.tensor)+1,v=p.toSpliced(w,0,...g).map(([E,T])=>this.tensor(e,E,T,u)),S=this.gradients?this.derivation(h):this.calculation(e,m);this.main.replaceChildren(r,this.source(e),a,S,L("div","tensors",...v));for(let E of[this.previous,this.next,this.box])E===t&&E.focus({preventScroll:!0})}source(e){let t=this.pass.sources[e.source],s=L("ol","source");s.start=t.first,t.text.split(`
`).forEach((r,i)=>{let a=t.first+i,l=L("li",a>=e.line&&a<=e.last?"ran":"",r||" ");s.append(l)}),requestAnimationFrame(()=>{let r=s.querySelector(".ran");r&&gm(s,r)});let o=L("div","file",t.file?`${t.file}:${e.line}`:"",L("code","",e.expression));return s.tabIndex=0,L("section","code",o,s)}cell(e,{tensor:t,index:s}){let o=e.outputs.indexOf(t);return o<0?null:Ew(this.numbers,e,o,s)}calculation(e,t){let s=e.declared?.text??(e.copied?["Each cell is a copy of another one."]:[]),o=L("section","cell",...s.map(a=>L("code","",a)));if(o.ariaLive="polite",!this.pinned)return s.length&&o.append(L("p","hint","Select a cell of the result to see the numbers that it was computed from.")),o;let r=mn(this.pass.tensors[this.pinned.tensor].shape,this.pinned.index);o.append(L("p","",...this.pinnedValue(this.numbers.of(this.pinned.tensor)?.[r])));let i=t?.lines??[];return o.append(this.lines(i,"out")),o}pinnedValue(e){return[`Cell [${this.pinned.index.join(", ")}] = `,L("strong","",xt(e??NaN))]}lines(e,t){return e.length<2&&!e[0]?.terms.length?"":L("div","lines",...e.map(({name:s,value:o,terms:r,over:i,factors:a})=>{let l=L("p","",`${s||t} = ${xt(o)}`);if(r.length>1){let d=r.slice(0,200).map(({at:h,factors:u,value:p})=>L("tr","",...[h,...u,p].map((f,g)=>L("td","",g?xt(f):String(h))))),m=[i,...a,"term"].map(h=>L("th","",h));l.append(L("div","terms",L("table","",L("tr","",...m),...d)))}return l}))}derivation(e){let t=L("section","cell");if(t.ariaLive="polite",!this.pinned||!e)return t.append(L("p","hint","Select a cell to see what its gradient was computed from.")),t;let s=mn(this.pass.tensors[this.pinned.tensor].shape,this.pinned.index),o=e.parts.filter(({cell:a})=>a),r=[...o.map(({cell:a})=>a.value),...e.rest?[e.rest.value]:[]].map(xt),i=L("p","",...this.pinnedValue(this.numbers.of(this.pinned.tensor)?.[s]),", gradient ",L("strong","",xt(e.value)));r.length>1&&i.append(` = ${r.join(" + ").replaceAll("+ -","− ")}`),t.append(i),o.some(({backward:a})=>a.declared)&&t.append(L("p","hint","In these formulas, gradient is that of the operation's result, and handed is what this tensor gets."));for(let a of o){let{operation:l,backward:d,cell:m}=a,h=L("a","",Ta(this.pass,l));h.href=`#operation=${l+1}`,h.onclick=p=>{p.preventDefault(),this.go(l)};let u=o.some(p=>p!==a&&p.operation===l)&&d.role;if(t.append(L("p","","From ",h,u?`, to its operand ${u}: `:": ",L("strong","",xt(m.value)))),d.declared)t.append(...d.declared.text.map(p=>L("code","",p))),t.append(this.lines(m.lines,d.declared.name));else{let p=[...m.reads.values()][0].size;t.append(L("p","",["No cell of the result is a copy of this one.","This is the gradient of its copy in the result."][p]??`This is the sum of the gradients of its ${p} copies in the result.`)),t.append(this.lines(m.lines,"sum"))}}if(e.rest){let{from:a,value:l}=e.rest,d=L("p","",`${a[0].toUpperCase()}${a.slice(1)}: `,L("strong","",xt(l)));o.length<e.parts.length&&d.append(L("span","hint"," The rule of this operation isn't known, or numbers that it reads were left out.")),t.append(d)}return t}tensor(e,t,s,o){let{shape:r,dtype:i}=this.pass.tensors[t],a=e.outputs.includes(t)&&s===this.what,l=this.numbers.of(t,s),d=L("figure",a?"result":""),m=L("figcaption","",L("b","",this.caption(t,s,a)),` (${r.join(", ")}) ${i}`);if(d.append(m),!l){let w=s==="gradient"?"No gradient reaches it.":"Its numbers were left out: the pass has too many.";return d.append(L("p","hint",w)),d}let h=s===this.what&&this.pinned?.tensor===t?this.pinned:null,u=o.get(`${s} ${t}`)??null,p=r.slice(0,-2),f=this.leading.get(t)??p.map(()=>0);u?.size&&(f=Tw(r,[...u][0]).slice(0,-2)),h&&(f=h.index.slice(0,-2)),p.forEach((w,v)=>{let S=L("select","",...Array.from({length:w},(E,T)=>L("option","",String(T))));S.ariaLabel=`Index of axis ${v}`,S.value=String(f[v]),S.onchange=()=>{this.leading.set(t,f.with(v,Number(S.value))),this.pinned=null,this.draw()},m.append(" ",S)});let g=a||s==="gradient"&&[...e.outputs,...e.inputs].includes(t);return d.append(this.matrix(t,s,l,f,u,g)),d}caption(e,t,s){return t==="gradient"?s?"Gradient of the result":`Gradient of ${fm(this.pass,e)}`:s?"Result":fm(this.pass,e)}matrix(e,t,s,o,r,i){let{shape:a}=this.pass.tensors[e],[l,d]=[a.at(-2)??1,a.at(-1)??1],m=o.reduce(($,R,H)=>$*a[H]+R,0)*l*d,h=L("canvas",""),u=L("div","matrix",h);this.main.append(u);let p=Math.max(l,d)<Ow,f=pn()*(p?Aw:Rw),g=p?f/2:f,w=devicePixelRatio||1;h.width=d*f*w,h.height=l*g*w,h.style.width=`${d*f}px`;let v=h.getContext("2d");v.scale(w,w);let S=$=>(h.style.color=`var(${$})`,getComputedStyle(h).color),E={negative:S("--negative"),positive:S("--positive"),hidden:S("--hidden"),ink:S("--ink"),accent:S("--accent")},T=bm(s)||1;v.font=`${10*pn()}px ${getComputedStyle(h).fontFamily}`,v.textAlign="center",v.textBaseline="middle";for(let $=0;$<l;$++)for(let R=0;R<d;R++){let H=m+$*d+R,N=s[H];v.globalAlpha=Number.isFinite(N)?.85*Math.abs(N)/T:1,v.fillStyle=Number.isFinite(N)?N<0?E.negative:E.positive:E.hidden,v.fillRect(R*f,$*g,f-1,g-1),v.globalAlpha=1,p&&(v.fillStyle=E.ink,v.fillText(Nw(N),(R+.5)*f,($+.5)*g)),(i&&this.pinned?.tensor===e&&mn(a,this.pinned.index)===H||r?.has(H))&&(v.strokeStyle=E.accent,v.lineWidth=2,v.strokeRect(R*f+1,$*g+1,f-3,g-3))}return h.role="img",h.ariaLabel=`${this.caption(e,t,!1)}, ${l} rows, ${d} columns`,i&&this.selectable(h,e,o,l,d,f,g),h.style.color="",u}selectable(e,t,s,o,r,i,a){let{shape:l}=this.pass.tensors[t],d=(m,h)=>{m<0||h<0||m>=o||h>=r||(this.pinned={tensor:t,index:[...s,m,h].slice(-l.length||1/0)},l.length||(this.pinned.index=[]),this.draw(),this.main.querySelector(`[data-tensor="${t}"]`)?.focus({preventScroll:!0}))};e.tabIndex=0,e.dataset.tensor=String(t),e.onclick=m=>d(Math.floor(m.offsetY/a),Math.floor(m.offsetX/i)),e.onkeydown=m=>{let h={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]}[m.key];if(!h)return;m.preventDefault();let[u,p]=this.pinned?.tensor===t?[this.pinned.index.at(-2)??0,this.pinned.index.at(-1)??0]:[0,-h[1]];d(u+h[0],p+h[1])}}}});var vm={};k(vm,{default:()=>Pw});async function zw(n,e){try{let t=await fe(new URL(`./own-pass/${encodeURIComponent(n)}`,document.baseURI),Hw,e);return t.ok?await t.json():await t.text()}catch{return"Server not responding. Reload the page."}}var Hw,xo,Pw,Ea,Tm=b(()=>{B();hm();pm();Xe();z();ne();C();km();Hw=12e4,xo={name:"",at:0},Pw=M([A,mm,um],n=>new Ea(n),(n,{data:e})=>n.show(e.pass)),Ea=class{box;name="";view=null;ended=new AbortController;zoom=pn();sizes=new ResizeObserver(()=>{this.zoom!==pn()&&(this.zoom=pn(),this.view?.draw())});constructor(e){this.box=c("div","traced"),e.append(this.box),this.sizes.observe(this.box),document.addEventListener("keydown",t=>this.key(t),{signal:this.ended.signal})}async show(e){if(e===this.name)return this.view?.draw();this.name=e,this.view=null,this.box.replaceChildren(c("p","hint","Loading ..."));let t=await zw(e,()=>this.name===e);if(this.name===e){xo.name!==e&&Object.assign(xo,{name:e,at:0}),this.box.replaceChildren();try{if(typeof t=="string")throw t;this.view=new yo(t,this.box,xo.at,s=>xo.at=s,!1)}catch(s){let o=typeof s=="string"?s:"This pass can't be drawn. Trace your code again.";this.box.replaceChildren(c("p","hint",o))}}}key(e){if(!this.view||!this.box.isConnected||!Y(e))return;let t=He(e);if(t==="ArrowRight"||t==="PageDown")this.view.go(this.view.at+1);else if(t==="ArrowLeft"||t==="PageUp")this.view.go(this.view.at-1);else if(t==="g"&&!e.repeat)this.view.turn();else return;e.preventDefault()}close(){this.ended.abort(),this.sizes.disconnect(),this.name="",this.view=null,this.box.remove()}}});var Lm,Em=b(()=>{Lm=`/* The table of runs that are compared. */
.order {
  display: none;
}
table {
  width: 100%;
}
th {
  border-bottom: 1px solid var(--st-border-color);
  padding: 0.1rem 0.3rem 0.25rem;
  vertical-align: bottom;
}
.sort {
  font-size: max(0.92em, var(--least, 0px));
  line-height: 1.2;
  text-align: inherit;
}
.sort::after {
  content: "";
  display: inline-block;
  width: 0.8em;
}
[aria-sort="ascending"] .sort::after {
  content: "▴";
}
[aria-sort="descending"] .sort::after {
  content: "▾";
}
.number {
  text-align: right;
  white-space: nowrap;
}
th.number {
  max-width: 6.5rem;
  white-space: normal;
}
td {
  border-bottom: 1px solid color-mix(in srgb, currentColor 12%, transparent);
  padding: 0.4rem 0.65rem;
  vertical-align: top;
}
td.number {
  padding-right: 1.45rem;
  padding-top: 0.5rem;
}
.choice {
  padding-right: 0.1rem;
  width: 1.5rem;
}
.what {
  min-width: 14rem;
}
.sweep td {
  padding-top: 0.7rem;
}
.open td,
.shown td {
  background: color-mix(in srgb, var(--run) 7%, transparent);
}
.open td {
  border-bottom-color: transparent;
}
/* The dot is the box to tick: in the run's colour, and with a tick that tells it from the others in grey print too. */
.dot {
  cursor: pointer;
  display: grid;
  padding: 0.15rem;
}
.dot input {
  appearance: none;
  border: 2px solid var(--run);
  border-radius: 50%;
  cursor: inherit;
  display: grid;
  height: 1.2rem;
  margin: 0;
  place-items: center;
  width: 1.2rem;
}
.dot input:checked {
  background: var(--run);
}
.dot input:checked::after {
  border: solid var(--st-background-color);
  border-width: 0 2px 2px 0;
  content: "";
  height: 0.5rem;
  margin-top: -0.15rem;
  rotate: 45deg;
  width: 0.25rem;
}
.dot input:disabled {
  cursor: default;
  opacity: 0.5;
}
.top {
  align-items: baseline;
  gap: 0 0.4rem;
}
.name {
  font-weight: 650;
  margin-left: -0.35rem;
  padding-block: 0;
}
.name::after {
  content: " ▾";
  opacity: 0.6;
}
.name[aria-expanded="true"]::after {
  content: " ▴";
}
.tag {
  border: 1px solid var(--st-border-color);
  border-radius: 1rem;
  font-size: max(0.75rem, var(--least, 0px));
  padding: 0 0.5rem;
}
.what > div:not(.top) {
  opacity: 0.8;
  overflow-wrap: anywhere;
}
.what .note {
  font-style: italic;
  white-space: pre-line;
}
.status {
  white-space: nowrap;
}
.badge {
  background: color-mix(in srgb, var(--badge) 16%, transparent);
  border-radius: 0.3rem;
  padding: 0.1rem 0.45rem;
  --badge: currentColor;
}
.badge[data-status="solved"] {
  --badge: light-dark(#1f6fc4, #6cb2ff);
}
.badge:is([data-status="running"], [data-status="starting"]) {
  --badge: light-dark(#1a7f37, #57d07a);
}
.badge:is([data-status="paused"], [data-status="queued"]) {
  --badge: light-dark(#b26a00, #ffb454);
}
.badge[data-status="failed"] {
  --badge: light-dark(#b3261e, #ff8a80);
}
.at {
  display: block;
  font-size: max(0.9em, var(--least, 0px));
  opacity: 0.8;
  padding: 0.15rem 0.1rem 0;
}
.more {
  margin-top: 0.4rem;
  text-decoration: underline;
  text-underline-offset: 0.2em;
}
.details td {
  background: color-mix(in srgb, var(--st-text-color) 3%, transparent);
  padding: 0.4rem 0.65rem 0.7rem 2.6rem;
}
.form {
  align-items: start;
  display: grid;
  gap: 0.6rem 1.5rem;
  grid-template-columns: minmax(10rem, 15rem) max-content minmax(12rem, 1fr);
}
.form label,
.colours legend {
  display: block;
  font-size: max(0.9em, var(--least, 0px));
}
.form :is(input, textarea) {
  background: var(--st-background-color);
  display: block;
  field-sizing: content;
  margin-top: 0.15rem;
  resize: none;
  width: 100%;
}
.problem {
  color: light-dark(#b3261e, #ff8a80);
  display: block;
}
.problem:empty {
  display: none;
}
.colours {
  border: 0;
}
.pick {
  background: var(--run);
  border: 2px solid transparent;
  border-radius: 50%;
  height: 1.5rem;
  margin: 0.4rem 0.3rem 0 0;
  padding: 0;
  width: 1.5rem;
}
.pick:hover {
  scale: 1.12;
}
.pick[aria-pressed="true"] {
  border-color: var(--st-background-color);
  box-shadow: 0 0 0 2px var(--run);
}
.actions {
  gap: 0.4rem;
  grid-column: 1 / -1;
}
.actions .delete,
.actions .stop {
  color: light-dark(#b3261e, #ff8a80);
}
@container (max-width: 820px) {
  .form {
    grid-template-columns: minmax(0, 1fr) max-content;
  }
  .form label.note {
    grid-column: 1 / -1;
  }
}
/* A card for each run where a table would be too wide. */
@container (max-width: 720px) {
  .order {
    display: block;
    font-size: max(0.9em, var(--least, 0px));
    margin-bottom: 0.4rem;
  }
  thead {
    display: none;
  }
  table,
  tbody {
    display: block;
  }
  .run {
    border-bottom: 1px solid color-mix(in srgb, currentColor 14%, transparent);
    display: grid;
    gap: 0 0.6rem;
    grid-template-columns: 1.7rem repeat(4, minmax(0, 1fr));
    padding: 0.5rem 0.2rem;
  }
  .run.open {
    border-bottom: 0;
  }
  .run td,
  .run.open td,
  .run.shown td {
    background: none;
    border: 0;
    padding: 0;
  }
  .run.shown {
    background: color-mix(in srgb, var(--run) 9%, transparent);
  }
  .run .what {
    grid-column: 2 / -2;
    min-width: 0;
  }
  .run .status {
    text-align: right;
    white-space: normal;
  }
  .run .choice {
    grid-row: 1 / 3;
  }
  .run .number {
    text-align: left;
    white-space: normal;
  }
  .run .number::before {
    content: attr(data-title);
    display: block;
    font-size: max(0.78rem, var(--least, 0px));
    line-height: 1.2;
    min-height: 2.4em;
    opacity: 0.75;
  }
  .run .number.parameters {
    display: none;
  }
  .dot input {
    height: 1.5rem;
    width: 1.5rem;
  }
  .details {
    display: block;
  }
  .form {
    grid-template-columns: minmax(0, 1fr);
  }
  .details td {
    display: block;
    padding: 0.4rem 0.4rem 0.8rem;
  }
  .pick,
  .actions button {
    min-height: 2.1rem;
  }
  .pick {
    height: 1.9rem;
    min-height: 0;
    width: 1.9rem;
  }
}
`});var Sm={};k(Sm,{default:()=>Bw});function Ww({by:n,text:e,most:t},s){let o=(s?-1:1)*(t?-1:1);return(r,i)=>{let[a,l]=[r[n],i[n]];return a===null||l===null?+(a===null)-+(l===null):o*(e?String(a).localeCompare(String(l)):a-l)}}function jw(n){return n!==0&&Math.abs(n)<.001?n.toExponential(1):n.toPrecision(3)}var kt,Dw,Bw,La,Sa,Cm=b(()=>{B();Em();Ke();Ue();z();C();kt=[{by:"name",title:"Run",text:!0},{by:"status",title:"Status",text:!0},{by:"steps",title:"Steps to solved",form:G},{by:"seconds",title:"Seconds to solved, without tests",form:n=>n.toFixed(2)},{by:"exact",title:"Best exact match",form:I,most:!0},{by:"loss",title:"Latest loss",form:jw},{by:"parameters",title:"Parameters",form:G}],Dw={name:40,note:500},Bw=M([A,Lm],n=>new La(n),(n,{data:e,setStateValue:t})=>{n.acts.adopt(e,s=>t("acts",s)),n.data=e,n.listen(),n.draw()}),La=class{data;lines=new Map;live=new Map;groups=new Map;open=null;acts=new V;frame=0;heads=kt.map(({by:e,title:t,text:s})=>c("th",s?"":"number",x("sort",t,()=>this.act("sort","",this.turned(e))),{scope:"col"}));body=c("tbody");order=c("select","",new Option("newest first",""),...kt.map(({by:e,title:t})=>new Option(t,e)));more=x("more","",()=>this.act("more",""));box=c("div","box",c("label","order large","Sorted by ",this.order));constructor(e){let t=c("th","choice",c("span","unseen","In the charts")),s=c("table","runs",c("thead","",c("tr","",t,...this.heads)),this.body,{ariaLabel:"Runs"});this.order.addEventListener("change",()=>this.act("sort","",this.order.value)),this.box.append(s,this.more),e.append(this.box)}close(){cancelAnimationFrame(this.frame);for(let e of this.live.values())e.close();this.box.remove()}listen(){let e=new Set(this.data.rows.map(({id:t})=>t));for(let[t,s]of this.live)e.has(t)||(s.close(),this.live.delete(t));for(let{id:t,channel:s,now:o}of this.data.rows){let r=this.live.get(t)??new Ce(()=>{cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>this.draw())});this.live.set(t,r),r.show({channel:s,at:this.data.at,now:o})}}act(e,t,s){this.acts.add(e,t,s),this.draw()}turned(e){return this.sort===e?`-${e}`:this.sort===`-${e}`?"":e}get sort(){return this.acts.pending.findLast(([,e])=>e==="sort")?.[3]??this.data.sort}get rows(){let e=this.data.rows.map(o=>{let r=this.live.get(o.id)?.values??o.now;return{...o,...r,colour:o.colour??r.line_colour}}),t=new Map(e.map(o=>[o.id,o])),s={show:"shown",colour:"colour",rename:"name",note:"note"};for(let[,o,r,i]of this.acts.pending){let a=t.get(r);s[o]&&a&&(a[s[o]]=i)}return e}draw(){let{rows:e,sort:t}=this,s=t.replace("-",""),o=kt.find(l=>l.by===s);o&&e.sort(Ww(o,t.startsWith("-")));let r=t.startsWith("-")?"descending":"ascending";this.heads.forEach((l,d)=>l.ariaSort=kt[d]===o?r:null),this.order.value=s;let i=e.filter(l=>l.shown).length>=this.data.most,a=[];for(let l of this.grouped(e,a)){let d=this.lines.get(l.id)??new Sa(this,l.id);this.lines.set(l.id,d),d.fill(l,i),a.push(d.main,d.details)}for(let[l,d]of this.lines)d.main.isConnected&&!a.includes(d.main)&&this.lines.delete(l);de(this.body,a),this.more.hidden=!this.data.hidden,this.more.textContent=`Show ${this.data.hidden} more`}*grouped(e,t){let s=new Set;for(let o of e){if(o.sweep||(yield o),!o.sweep||s.has(o.sweep))continue;s.add(o.sweep);let r=e.filter(({sweep:a})=>a===o.sweep),i=this.groups.get(o.sweep)??this.groupOf(o.sweep);i.open===null&&r.some(({shown:a})=>a)&&(i.open=!0),y(i.counts,` ${r.length} runs · ${r.filter(({steps:a})=>a!==null).length} solved`),i.name.ariaExpanded=String(i.open===!0),t.push(i.row),i.open&&(yield*r)}}groupOf(e){let t=x("name",`Sweep ${e}`,()=>{r.open=!r.open,this.draw()}),s=c("span"),o=c("td","",t,s,{colSpan:kt.length+1}),r={row:c("tr","sweep",o),name:t,counts:s,open:null};return this.groups.set(e,r),r}colour(e){let{light:t,dark:s}=this.data.colours;return`light-dark(${t[e%t.length]}, ${s[e%s.length]})`}};Sa=class{runs;id;row;box=c("input","",{type:"checkbox",onchange:()=>this.runs.act("show",this.id,this.box.checked)});name=x("name","",()=>{this.turn(this.runs.open!==this.id),this.runs.open===this.id&&this.details.querySelector("input, button")?.focus({preventScroll:!0})});first=c("span","tag","reference",{title:"All differences are relative to this run."});difference=c("div","difference");note=c("div","note");badge=c("span","badge");at=c("span","at");cells=kt.slice(2).map(({by:e,title:t})=>{let s=c("td",`number ${e}`);return s.dataset.title=t,s});main=c("tr","run",c("td","choice",c("label","dot",this.box)),c("td","what",c("div","top wrap",this.name,this.first),this.difference,this.note),c("td","status",this.badge,this.at),...this.cells);inside=c("td","",{colSpan:kt.length+1});details=c("tr","details",this.inside);updates=[];constructor(e,t){this.runs=e,this.id=t,this.details.addEventListener("keydown",s=>{s.stopPropagation(),s.key==="Escape"&&(this.turn(!1),this.name.focus())})}turn(e){this.runs.open=e?this.id:null,this.runs.draw()}fill(e,t){this.row=e;let{runs:s,main:o,box:r}=this,i=s.open===this.id;o.style.setProperty("--run",s.colour(Number(e.colour))),o.classList.toggle("open",i),o.classList.toggle("shown",e.shown),r.checked=e.shown,r.disabled=!e.shown&&t,r.title=r.disabled?`${s.data.most} runs is the most that the charts show.`:"In the charts",r.ariaLabel=`${e.name} in the charts`,y(this.name,e.name),this.name.ariaExpanded=String(i),this.first.hidden=!e.first,y(this.difference,e.difference),y(this.note,e.note),this.note.hidden=!e.note,y(this.badge,e.status),this.badge.dataset.status=e.status,y(this.at,e.ended?"":`step ${G(e.step)}`),kt.slice(2).forEach(({by:a,form:l},d)=>{let m=e[a];y(this.cells[d],m===null?"–":[l?.(m)??m,e[`${a}_of`]].filter(Boolean).join(" ")),this.cells[d].title=e[`${a}_evidence`]??""}),this.details.hidden=!i,i===!this.updates.length&&(i?this.inside.append(this.form()):this.inside.replaceChildren()),i||(this.updates=[]);for(let a of this.updates)a(e)}form(){let{runs:e,id:t}=this,s=(a,l,d,m="")=>{let h=x(a,l,()=>e.act(a,t),{title:m});return this.updates.push(u=>h.hidden=!d(u)),h},o=c("div","actions framed wrap",s("open","Open this run",()=>!0,"Its own charts, predictions and controls."),s("first","Compare the others with it",a=>!a.first,"Show differences relative to this run."),s("duplicate","Duplicate with a change",()=>!0,"Copy its settings to the form below the table."),s("stop","Stop",a=>a.mine&&!a.ended),s("delete","Delete",a=>a.mine&&a.ended,"Can be undone."));if(!this.row.mine)return c("div","form",o);let r=e.data.colours.light.map((a,l)=>{let d=x("pick","",()=>e.act("colour",t,l),{ariaLabel:`Colour ${l+1}`});return d.style.setProperty("--run",e.colour(l)),this.updates.push(m=>d.ariaPressed=String(m.colour===l)),d}),i=c("fieldset","colours",c("legend","","Colour"),...r);return c("div","form",this.field("rename","Name",c("input")),i,this.field("note","Note",c("textarea")),o)}field(e,t,s){let{runs:o,id:r}=this,i=e==="rename"?"name":e,a=c("span","problem",{role:"alert"});s.maxLength=Dw[i];let l=!1;s.addEventListener("input",()=>l=!0);let d=()=>{l&&s.value!==this.row[i]&&o.act(e,r,s.value),l=!1};return s.addEventListener("change",d),s.addEventListener("keydown",m=>{!(m instanceof KeyboardEvent)||m.key!=="Enter"||m.shiftKey||(m.preventDefault(),d())}),this.updates.push(m=>{let h=o.data.problem,u=h&&h.id===r&&h.verb===e?h:null;y(a,u?.sentence??""),l||(s.value=u?u.value:m[i])}),c("label",e,t,s,a)}}});var $m,Mm=b(()=>{$m=`/* What a stage has made keeps its room, whatever it is. */
:host {
  font-size: 1rem;
}

/* ---- the strip of all stages */
.stages,
.stages ol {
  display: flex;
  gap: 3px;
}
.stages {
  gap: 0.7rem;
  margin-bottom: 0.8rem;
  overflow: hidden;
}
.stages > li {
  flex: 1 0 auto;
}
.group-name {
  display: block;
  font-size: max(0.75rem, var(--least, 0px));
  height: 1.2rem;
  line-height: 1.2rem;
  opacity: 0.78;
}
.stages ol > li {
  --hue: currentColor;
  border: 1px solid color-mix(in srgb, var(--hue) 55%, transparent);
  border-radius: 0.35rem;
  flex: 1 0 auto;
  font-size: max(0.75rem, var(--least, 0px));
  height: 1.6rem;
  line-height: 1.6rem;
  padding: 0 0.25rem;
  text-align: center;
  white-space: nowrap;
}
.stages .attention {
  --hue: #8a4fe0;
}
.stages .feed_forward {
  --hue: #4d8032;
}
.stages .embed {
  --hue: #2f6fe4;
}
.stages :is(.loss, .backward, .optimizer) {
  --hue: #c2500a;
}
.stages .done {
  background: color-mix(in srgb, var(--hue) 22%, transparent);
}
.stages .now {
  background: var(--st-primary-color);
  border-color: var(--st-primary-color);
  color: #fff;
}
.stages .initial,
.stages.short .word {
  display: none;
}
.stages.short {
  gap: 0.5rem;
}
.stages.short .initial {
  display: inline;
}
.stages.short > li {
  flex: var(--stages) 1 0;
  min-width: 0;
}
.stages.short ol > li {
  flex: 1 1 0;
  min-width: 0;
  overflow: hidden;
  padding: 0;
}
.stages.short .group-name {
  white-space: nowrap;
}

/* ---- words */
.operation {
  min-height: 1.9rem;
}
.operation .remark {
  white-space: nowrap;
  flex: 1;
}
.sentence {
  min-height: 1.4em;
}

/* ---- what the stage has made */
.figure {
  display: flex;
  flex-direction: column;
  font-size: max(0.875rem, var(--least, 0px));
  gap: 6px;
  height: var(--slow-height, 22rem);
  margin-top: 0.5rem;
}
.tensor,
.numbers {
  flex: 1;
  min-height: 0;
  overflow: hidden auto;
}
.drawn .numbers,
.figure:not(.drawn) :is(.tensor, .foot) {
  display: none;
}
.folds button {
  display: none;
}
.foot {
  align-items: flex-start;
  display: flex;
  flex: none;
  gap: 1.5rem;
}
.value {
  flex: 1;
  font-weight: 600;
  min-width: 0;
}
.numbers td {
  background: none;
  cursor: auto;
  padding: 0.1rem 0.8rem 0.1rem 0;
}
.numbers p {
  margin: 0.5rem 0;
}
.bars {
  align-items: center;
  display: grid;
  gap: 0.3rem 0.8rem;
  grid-template-columns: max-content minmax(4rem, 30rem) max-content;
  margin: 0.4rem 0;
}
.bars i {
  background: light-dark(#c2500a, #ff9d57);
  border-radius: 0.25rem;
  display: block;
  height: 0.9rem;
  min-width: 2px;
}
.one-number {
  font-size: 3rem;
  font-weight: 650;
  line-height: 1.3;
}

@media (max-width: 640px) {
  .operation {
    flex-wrap: wrap;
    min-height: 3.4rem;
  }
  .sentence {
    min-height: 4.2em;
  }
  .foot {
    flex-direction: column-reverse;
    gap: 0;
  }
  .value {
    flex: none;
    min-height: 1.4em;
    width: 100%;
  }
}
`});var Am={};k(Am,{default:()=>Gw});var qw,Gw,Ca,Rm=b(()=>{Ze();B();Zt();ta();Mm();ge();Ot();Ht();Zs();oe();ze();Ue();z();C();qw=[ee,A,Ie,ro,$m],Gw=M(qw,n=>new Ca(n),(n,{data:e})=>n.show(e)),Ca=class{parent;theme;root;observer=new ResizeObserver(()=>this.layout());shown="";size="";live=new Ce(()=>this.draw());strip=c("div","strip");words=c("div","words");tensor=c("div","tensor");group=new le(this.tensor);numbers=c("div","numbers");value=c("div","value cut");legend=c("div","legend wrap");figure=c("div","figure",this.tensor,this.numbers,c("div","foot",this.value,this.legend));constructor(e){this.parent=e,this.theme=W(e),this.root=e.querySelector(".slow-motion"),this.root.append(this.strip,this.words,this.figure),this.group.listen(this.tensor,()=>this.tell()),this.observer.observe(this.root)}close(){this.live.close(),this.observer.disconnect(),me.set(this,null),this.root.replaceChildren()}show(e){this.live.show(e),this.draw()}draw(){let{message:e}=this.live.values;if(e===void 0)return;let t=_(Uint8Array.from(atob(e),i=>i.charCodeAt(0)));me.set(this,t.lit);let s=W(this.parent),o=JSON.stringify([t.stage,t.strip,t.words,s]);if(o===this.shown)return;Object.assign(this,{shown:o,theme:s});for(let i of["strip","words","numbers"])this[i].innerHTML=t[i];let[r]=t.tensors;this.figure.classList.toggle("drawn",!!r),this.size="",r&&this.fill(r,s),this.layout()}fill(e,t){this.group.fill(e,Se(e),{heads:e.heads?.count,columns:e.columns.count},t,null);for(let s of this.group.tiles)s.node.tabIndex=-1,s.node.setAttribute("role","img"),s.node.setAttribute("aria-label",wn([e.title,s.grid.title].filter(Boolean).join(", "),s.grid));this.legend.replaceChildren(...Kn(this.group.grids,[],t))}layout(){let{clientWidth:e,clientHeight:t}=this.figure,s=`${e} ${t}`;if(!e||s===this.size)return;this.size=s;let o=this.strip.firstElementChild;o?.classList.remove("short"),o?.classList.toggle("short",o.scrollWidth>o.clientWidth),this.tensor.clientWidth&&Pn(this.group,this.tensor.clientWidth,this.tensor.clientHeight,this.theme),this.tell()}tell(){this.value.textContent=this.group.words(" = ")}}});var Nm,Om=b(()=>{Nm=`/* A sweep: small charts side by side and a table of what came out. */
.grid {
  display: grid;
  gap: 0.9rem 1.1rem;
  grid-template-columns: repeat(var(--columns), minmax(11rem, 1fr));
}
.card {
  min-width: 0;
}
.title button {
  font-weight: 650;
  margin-left: -0.35rem;
  padding: 0 0.35rem;
  text-align: left;
}
.plot {
  border-bottom: 1px solid color-mix(in srgb, currentColor 45%, transparent);
  border-left: 1px solid color-mix(in srgb, currentColor 45%, transparent);
  height: max(6.5rem, calc(var(--plots-height, 0rem) / var(--rows) - 9rem)); /* on a slide, what texts leave */
  margin: 0.4rem 0 1.1rem 2.9rem; /* the ends of the axis stand beside it */
  position: relative;
}
.waiting .plot {
  background: repeating-linear-gradient(135deg, transparent 0 7px, color-mix(in srgb, currentColor 5%, transparent) 7px 8px);
}
svg {
  display: block;
  height: 100%;
  overflow: visible;
  touch-action: pan-y;
  width: 100%;
}
path {
  fill: none;
  stroke: light-dark(#1f6fc4, #6cb2ff);
  stroke-linecap: round;
  stroke-linejoin: round;
  stroke-opacity: 0.75;
  stroke-width: calc(1.6px * var(--present-scale, 1));
  vector-effect: non-scaling-stroke;
}
/* What has not solved it yet is dashed: it differs from the others without colour too. */
path.open {
  stroke: light-dark(#c8590b, #ff9d57);
  stroke-dasharray: 5 3;
}
path.band {
  fill: light-dark(#1f6fc4, #6cb2ff);
  fill-opacity: 0.1;
  pointer-events: none;
  stroke: none;
}
path:hover {
  stroke-opacity: 1;
  stroke-width: calc(3px * var(--present-scale, 1));
}
.rule {
  stroke: currentColor;
  stroke-opacity: 0.55;
  vector-effect: non-scaling-stroke;
}
.plot span {
  font-size: max(0.75em, var(--least, 0px));
  opacity: 0.78;
  pointer-events: none;
  position: absolute;
  white-space: nowrap;
}
.plot :is(.top, .bottom) {
  right: calc(100% + 0.3rem);
}
.plot .top {
  top: -0.5em;
}
.plot .bottom {
  bottom: -0.5em;
}
.plot .last {
  right: 0;
  top: 100%;
}
.readout {
  min-height: 1.4em;
  margin-top: -0.4rem;
  opacity: 0.85;
}
.unit,
.note {
  font-size: max(0.86em, var(--least, 0px));
  opacity: 0.78;
}
.unit {
  margin-bottom: 0.3rem;
}
.scroller {
  overflow-x: auto;
}
table {
  width: 100%;
}
th {
  border-bottom: 1px solid var(--st-border-color);
  padding: 0.2rem 0.7rem;
  text-align: right;
  vertical-align: bottom;
}
td {
  border-bottom: 1px solid color-mix(in srgb, currentColor 12%, transparent);
  padding: 0.35rem 0.7rem;
  text-align: right;
  white-space: nowrap;
}
.first {
  font-weight: 650;
  padding-left: 0;
  text-align: left;
}
th:last-child {
  text-align: left;
}
.strip {
  min-width: 10rem;
  width: 30%;
}
.track {
  background: color-mix(in srgb, currentColor 10%, transparent);
  border-radius: 1px;
  height: 2px;
  margin: 0.6rem 0.4rem;
  position: relative;
}
.track i {
  position: absolute;
  top: 50%;
  translate: -50% -50%;
}
.mark {
  background: light-dark(#1f6fc4, #6cb2ff);
  border-radius: 50%;
  height: 0.55rem;
  opacity: 0.6;
  width: 0.55rem;
}
.middle {
  background: currentColor;
  height: 1.1rem;
  width: 2px;
}
.strip .track {
  min-width: 9rem;
}
@container (max-width: 640px) {
  .grid {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  .first {
    background: var(--st-background-color);
    left: 0;
    position: sticky;
    white-space: normal;
    z-index: 1;
  }
  td.first {
    min-width: 6.5rem;
  }
}
`});var Dm={};k(Dm,{default:()=>Kw});function Hm(n,e){let t=[];for(;n[`${e} ${t.length}`];)t.push(n[`${e} ${t.length}`]);return t}function Pm({cards:n,percent:e,steps:t}){let s=Math.max(1,t),o=m=>Im*m/s;if(e)return{last:s,across:o,up:m=>ss*(1-m),ends:["100 %","0 %"]};let r=n.flatMap(m=>m.lines.flatMap(h=>h.values)).filter(m=>m>0),i=Math.min(...r,1/0),a=Math.max(...r,-1/0);if(!(a>i))return{last:s,across:o,up:()=>ss/2,ends:r.length?[vo(a),""]:["",""]};let l=Math.log(a)-Math.log(i);return{last:s,across:o,up:m=>ss*(1-(Math.log(Math.max(m,i))-Math.log(i))/l),ends:[vo(a),vo(i)]}}function Vw(n,e){let t=x("","",()=>n(e),{title:"Compare these runs"}),s=D("g",{class:"lines"}),o=D("line",{class:"rule",y1:0,y2:ss}),r=D("svg",{viewBox:`0 0 ${Im} ${ss}`,preserveAspectRatio:"none",role:"img"},s,o),i=[c("span","top"),c("span","bottom"),c("span","last")],a=c("div","readout"),l=c("div","note"),d=c("div","plot",r,...i);return{root:c("figure","card",c("figcaption","title",t),d,a,l),title:t,svg:r,rule:o,ends:i,readout:a,note:l,lines:s}}function Jw({root:n,title:e,svg:t,lines:s,ends:o,readout:r,note:i},a,l){let{across:d,up:m,last:h}=l;y(e,a.title),t.setAttribute("aria-label",`${a.title}: ${a.summary}`);let u=a.lines.map(f=>{let g=f.steps.map((v,S)=>`${S?"L":"M"}${ns(d(v))},${ns(m(f.values[S]))}`);f.steps.length===1&&g.push("h0.01");let w=D("title",{},`${f.name}: ${f.result}`);return D("path",{d:g.join(""),class:f.solved===null?"open":"solved"},w)}),p=a.lines.filter(({steps:f,bands:g})=>g.length>1&&g.length===f.length).map(({steps:f,bands:g})=>{let w=v=>(S,E)=>`${ns(d(S))},${ns(m(g[E][v]))}`;return D("path",{d:`M${[...f.map(w(1)),...f.map(w(0)).reverse()].join("L")}Z`,class:"band"})});s.replaceChildren(...p,...u),[...l.ends,`step ${G(h)}`].forEach((f,g)=>y(o[g],f)),r.dataset.all=a.summary,y(i,a.note),n.classList.toggle("waiting",!a.lines.some(f=>f.steps.length))}function Xw({steps:n,values:e},t){let s=null;for(let o=0;o<n.length&&n[o]<=t;o++)s=e[o];return s}function Yw(n){let e=n.length>>1;return n.length%2?n[e]:(n[e-1]+n[e])/2}function zm(n,e){let t=c("i",e);return t.style.left=`${100*Math.min(1,n)}%`,t}function ns(n){return Math.round(n*10)/10}function vo(n){return n!==0&&Math.abs(n)<.001?n.toExponential(1):String(Number(n.toPrecision(3)))}var Fw,Im,ss,ko,Kw,Ma,Bm=b(()=>{B();Om();Ue();z();C();Fw=4,Im=200,ss=100,ko={percent:!0,unit:"",columns:0,steps:1,cards:[],head:[],spread:1,rows:[]},Kw=M([A,Nm],n=>new Ma(n),(n,{data:e,setTriggerValue:t})=>{n.ask=(s,o)=>t("asked",{verb:s,value:o}),n.draws=e.draws,n.live.show(e),n.draw()}),Ma=class{cards=[];at=null;unit=c("div","unit");grid=c("div","grid");table=c("table","summary");scroller=c("div","scroller",this.table);box=c("div","box");live=new Ce(()=>this.draw());draws="";content="";data=ko;scale=Pm(ko);ask=()=>{};constructor(e){e.append(this.box),this.grid.addEventListener("pointermove",t=>this.point(t)),this.grid.addEventListener("pointerleave",()=>this.look(null))}close(){this.live.close(),this.box.remove()}draw(){let{percent:e,unit:t,columns:s,steps:o,head:r,spread:i,...a}=this.live.values,l=this.draws==="cards",d=l?{...ko,percent:e,unit:t,columns:s,steps:o,cards:Hm(a,"card")}:{...ko,head:r,spread:i,rows:Hm(a,"row")},m=JSON.stringify(d);this.content!==m&&(Object.assign(this,{content:m,data:d}),this.box.replaceChildren(...l?[this.unit,this.grid]:[this.scroller]),l?this.chart():this.tabulate())}chart(){let{cards:e,columns:t,unit:s}=this.data;for(y(this.unit,s),this.grid.style.setProperty("--columns",t?String(t):"auto-fill"),this.grid.style.setProperty("--rows",String(Math.ceil(e.length/(t||Fw))||1)),this.scale=Pm(this.data);this.cards.length>e.length;)this.cards.pop()?.root.remove();for(;this.cards.length<e.length;){let o=Vw(r=>this.ask("compare",this.data.cards[r].index),this.cards.length);this.cards.push(o),this.grid.append(o.root)}e.forEach((o,r)=>Jw(this.cards[r],o,this.scale)),this.look(this.at)}point(e){let t=e.target.closest("svg");if(!t)return;let s=t.getBoundingClientRect(),o=Math.min(1,Math.max(0,(e.clientX-s.left)/s.width));this.look(Math.round(o*this.scale.last))}look(e){this.at=e,this.cards.forEach(({rule:t,readout:s},o)=>{let r=this.data.cards[o];if(t.toggleAttribute("hidden",e===null),e===null)return y(s,s.dataset.all??"");let i=ns(this.scale.across(e));t.setAttribute("x1",String(i)),t.setAttribute("x2",String(i));let a=r.lines.map(h=>Xw(h,e)).filter(h=>h!==null);a.sort((h,u)=>h-u);let l=this.data.percent?I:vo,m=a.length>1&&a[0]!==a.at(-1)?` (${l(a[0])} to ${l(a[a.length-1])})`:"";y(s,a.length?`step ${G(e)}: ${l(Yw(a))}${m}`:`step ${G(e)}: –`)})}tabulate(){let{head:e,rows:t,spread:s}=this.data,o=e.map((i,a)=>c("th",a?"":"first",i,{scope:"col"})),r=t.map(({cells:i,marks:a,middle:l})=>{let d=a.map(u=>zm(u/s,"mark")),m=c("div","track",...d,l!==null&&zm(l/s,"middle")),h=i.map((u,p)=>c("td",p?"":"first",u));return c("tr","",...h,c("td","strip",m))});this.table.replaceChildren(c("thead","",c("tr","",...o)),c("tbody","",...r))}}});var Qw,$a=b(()=>{Qw=Aa({"../build/first_look.ts":()=>Promise.resolve().then(()=>(Gl(),ql)),"../checkpoints/cards.ts":()=>Promise.resolve().then(()=>(ec(),Zl)),"../checkpoints/corner.ts":()=>Promise.resolve().then(()=>(Lr(),Yl)),"../checkpoints/drop.ts":()=>Promise.resolve().then(()=>(oc(),sc)),"../checkpoints/pair.ts":()=>Promise.resolve().then(()=>(xc(),yc)),"../checkpoints/upload.ts":()=>Promise.resolve().then(()=>(Hs(),Ql)),"../experiment/outcome.ts":()=>Promise.resolve().then(()=>(vc(),kc)),"../experiment/switches.ts":()=>Promise.resolve().then(()=>(Sc(),Lc)),"../generate/beam_tree.ts":()=>Promise.resolve().then(()=>(Rc(),Ac)),"../generate/generation.ts":()=>Promise.resolve().then(()=>(zc(),Pc)),"../generate/kv_cache.ts":()=>Promise.resolve().then(()=>(Uc(),jc)),"../learn/formula_rows.ts":()=>Promise.resolve().then(()=>(Kc(),Fc)),"../learn/grid.ts":()=>Promise.resolve().then(()=>(Qc(),Yc)),"../parts/acts.ts":()=>Promise.resolve().then(()=>(Ke(),al)),"../parts/ask.ts":()=>Promise.resolve().then(()=>(Xe(),Wl)),"../parts/attention.ts":()=>Promise.resolve().then(()=>(Mn(),Ul)),"../parts/charts/chart.ts":()=>Promise.resolve().then(()=>(qn(),vd)),"../parts/charts/chart_export.ts":()=>Promise.resolve().then(()=>(pi(),Ld)),"../parts/charts/chart_store.ts":()=>Promise.resolve().then(()=>(zt(),fd)),"../parts/charts/chart_theme.ts":()=>Promise.resolve().then(()=>(Gs(),bd)),"../parts/charts/charts.ts":()=>Promise.resolve().then(()=>(Gd(),qd)),"../parts/charts/examples.ts":()=>Promise.resolve().then(()=>(fi(),Nd)),"../parts/charts/heads.ts":()=>Promise.resolve().then(()=>(gi(),Pd)),"../parts/charts/own_input.ts":()=>Promise.resolve().then(()=>(ui(),Ad)),"../parts/charts/prose.ts":()=>Promise.resolve().then(()=>(Vs(),Md)),"../parts/charts/toolbar.ts":()=>Promise.resolve().then(()=>(yi(),Id)),"../parts/code/code_file.ts":()=>Promise.resolve().then(()=>(Vd(),Kd)),"../parts/component.ts":()=>Promise.resolve().then(()=>(z(),pl)),"../parts/heatmaps/colours.ts":()=>Promise.resolve().then(()=>(ge(),Vl)),"../parts/heatmaps/group.ts":()=>Promise.resolve().then(()=>(Ot(),mc)),"../parts/heatmaps/layout.ts":()=>Promise.resolve().then(()=>(Ht(),wc)),"../parts/heatmaps/legend.ts":()=>Promise.resolve().then(()=>(Zs(),Jd)),"../parts/heatmaps/message.ts":()=>Promise.resolve().then(()=>(ze(),jl)),"../parts/heatmaps/tile.ts":()=>Promise.resolve().then(()=>(mt(),dc)),"../parts/live/changes.ts":()=>Promise.resolve().then(()=>(Zd(),Qd)),"../parts/live/focus.ts":()=>Promise.resolve().then(()=>(No(),Wa)),"../parts/live/progress.ts":()=>Promise.resolve().then(()=>(sh(),nh)),"../parts/live/stream.ts":()=>Promise.resolve().then(()=>(Ue(),pd)),"../parts/map/diagram.ts":()=>Promise.resolve().then(()=>(ch(),lh)),"../parts/map/explained.ts":()=>Promise.resolve().then(()=>(Ai(),hh)),"../parts/map/follow.ts":()=>Promise.resolve().then(()=>(Vn(),ah)),"../parts/shortcuts.ts":()=>Promise.resolve().then(()=>(ne(),Fa)),"../parts/shown.ts":()=>Promise.resolve().then(()=>(oe(),ml)),"../parts/streamlit_dom.ts":()=>Promise.resolve().then(()=>(J(),Na)),"../parts/styles.ts":()=>Promise.resolve().then(()=>(ie(),hl)),"../parts/tips.ts":()=>Promise.resolve().then(()=>($s(),Il)),"../parts/words.ts":()=>Promise.resolve().then(()=>(C(),qa)),"../passes/cell/cells.ts":()=>Promise.resolve().then(()=>(Hi(),mh)),"../passes/cell/expression.ts":()=>Promise.resolve().then(()=>(zi(),wh)),"../passes/cell/play.ts":()=>Promise.resolve().then(()=>(Wi(),yh)),"../passes/frame.ts":()=>Promise.resolve().then(()=>(Ui(),xh)),"../passes/look.ts":()=>Promise.resolve().then(()=>(qi(),kh)),"../passes/maps.ts":()=>Promise.resolve().then(()=>(Lh(),Eh)),"../passes/marks.ts":()=>Promise.resolve().then(()=>(Qi(),Mh)),"../passes/matrices.ts":()=>Promise.resolve().then(()=>(Nh(),Oh)),"../passes/matrix.ts":()=>Promise.resolve().then(()=>(Bn(),Xc)),"../passes/pictures.ts":()=>Promise.resolve().then(()=>(Ws(),_c)),"../passes/statement.ts":()=>Promise.resolve().then(()=>(ea(),Ph)),"../passes/table.ts":()=>Promise.resolve().then(()=>(so(),Ch)),"../passes/tensors.ts":()=>Promise.resolve().then(()=>(Dh(),Ih)),"../room/answers.ts":()=>Promise.resolve().then(()=>(ho(),Wh)),"../room/ask_panel.ts":()=>Promise.resolve().then(()=>(ma(),Xh)),"../room/questions.ts":()=>Promise.resolve().then(()=>(em(),Zh)),"../room/room_client.ts":()=>Promise.resolve().then(()=>(po(),qh)),"../runs/text_file.ts":()=>Promise.resolve().then(()=>(nm(),tm)),"../shell/address.ts":()=>Promise.resolve().then(()=>Ra(So())),"../shell/every_page.ts":()=>Promise.resolve().then(()=>(Uo(),Ya)),"../shell/keys.ts":()=>Promise.resolve().then(()=>(om(),sm)),"../shell/lesson_plan.ts":()=>Promise.resolve().then(()=>(ms(),er)),"../shell/opening.ts":()=>Promise.resolve().then(()=>(ga(),uw)),"../shell/plan_panel.ts":()=>Promise.resolve().then(()=>(tr(),rl)),"../shell/presenter.ts":()=>Promise.resolve().then(()=>(ur(),zl)),"../shell/scripts.ts":()=>Promise.resolve().then(()=>(jm(),Wm)),"../shell/start.ts":()=>Promise.resolve().then(()=>(am(),fw)),"../shell/theme.ts":()=>Promise.resolve().then(()=>(sr(),il)),"../step/outline.ts":()=>Promise.resolve().then(()=>(dm(),cm)),"../step/own_pass.ts":()=>Promise.resolve().then(()=>(Tm(),vm)),"../train/runs.ts":()=>Promise.resolve().then(()=>(Cm(),Sm)),"../train/slow_motion.ts":()=>Promise.resolve().then(()=>(Rm(),Am)),"../train/sweep.ts":()=>Promise.resolve().then(()=>(Bm(),Dm))})});var Wm={};k(Wm,{default:()=>Zw});var Zw,jm=b(()=>{ur();$s();$a();Zw=n=>Qw(`../${n}.ts`)});jm();export{Zw as default};

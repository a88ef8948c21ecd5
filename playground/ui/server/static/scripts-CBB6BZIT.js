var lf=Object.defineProperty;var Ql=n=>e=>{var t=n[e];if(t)return t();throw new Error("Module not found in bundle: "+e)};var y=(n,e,t)=>()=>{if(t)throw t[0];try{return n&&(e=n(n=0)),e}catch(o){throw t=[o],o}};var k=(n,e)=>{for(var t in e)lf(n,t,{get:e[t],enumerable:!0})};var Zl={};k(Zl,{APP:()=>je,BLOCK:()=>Wn,COLUMN:()=>Fo,COMPONENT:()=>kr,CONNECTION:()=>Ko,MAIN:()=>K,MAIN_BLOCK:()=>Bn,NAVIGATION_LINK:()=>Un,REVEAL:()=>Er,ROW:()=>Tr,SCRIPT_STATE:()=>Oe,SKELETON:()=>vr,keyed:()=>_});var je,K,Bn,kr,vr,Fo,Tr,Wn,Un,Oe,Er,Ko,_,ne=y(()=>{je=".stApp",K=".stMain",Bn=".stMainBlockContainer",kr=".stBidiComponent",vr="[data-testid=stSkeleton]",Fo=".stColumn",Tr=".stHorizontalBlock",Wn=`:is(.stElementContainer, [data-testid=stLayoutWrapper], ${Fo})`,Un=":is(.stAppHeader, .stSidebar) a",Oe="data-test-script-state",Er="[class*=st-key-reveal-] button",Ko="data-test-connection-state",_=n=>`.st-key-${n}`});var ic={};k(ic,{release:()=>Dt});function nc(){if(!qe||qe.isConnected&&!qe.matches(":disabled")||document.querySelector(je)?.getAttribute(Oe)!=="notRunning")return;let[n,e]=[qe,Lr];Dt(),rc(n,e)}function rc(n,e,t=ec){if(document.activeElement!==document.body)return;let o=n.isConnected?n.matches(":disabled")?mf(n):n:df(e);o&&(!n.isConnected||t<ec)?o.focus({preventScroll:o.matches(Vo)}):t&&setTimeout(rc,oc,n,e,t-1)}function df(n){return pf(n[0]?.key)??n.map(({key:e,at:t})=>hf(e,t)).find(Boolean)??uf()}function Dt(){qe=null,sc.disconnect()}function Sr(n){return[...n.querySelectorAll(Vo)].filter(e=>!e.matches(":disabled")&&e.checkVisibility())}function hf(n,e){let t=document.querySelector(`.${n}`),o=t?Sr(t):[];return o[Math.min(e,o.length-1)]}function mf(n){let e=n.parentElement;for(;e&&e.querySelectorAll(Vo).length<2;)e=e.parentElement;let t=e?Sr(e):[];return t.findLast(o=>n.compareDocumentPosition(o)&Node.DOCUMENT_POSITION_PRECEDING)??t[0]}function pf(n=""){if(!n.includes("-reveal-"))return;let e=document.querySelector(`.${n.replace("-reveal-","-found-")} .message`);return e?.setAttribute("tabindex","-1"),e}function uf(){let n=[...document.querySelectorAll(`${K} :is(h2, h1)`)].filter(t=>t.checkVisibility()),e=n.find(t=>t.matches("h2"))??n[0];return e?.setAttribute("tabindex","-1"),e}var Vo,oc,ec,cf,qe,tc,Lr,sc,Cr=y(()=>{ne();Vo="button, a[href], input, textarea, select, summary, [tabindex='0']:not(.term)",oc=300,ec=100,cf=/st-key-[\w-]+/,qe=null,tc=0,Lr=[],sc=new MutationObserver(()=>{nc(),clearTimeout(tc),tc=setTimeout(nc,oc)});document.addEventListener("focusin",n=>{Dt();let[e]=n.composedPath();if(!(!(e instanceof HTMLElement)||!e.matches(Vo)||!n.composedPath().some(t=>t instanceof Element&&t.matches(K)))){qe=e,Lr=[];for(let t=n.target;t;t=t.parentElement){let[o]=cf.exec(t.className)??[];o&&Lr.push({key:o,at:Sr(t).indexOf(e)})}sc.observe(document.body,{childList:!0,subtree:!0,attributeFilter:[Oe]})}});document.addEventListener("focusout",()=>{setTimeout(()=>{qe?.isConnected&&!qe.matches(":disabled")&&document.activeElement===document.body&&Dt()})});document.addEventListener("pointerdown",()=>qe&&!qe.isConnected&&Dt(),{capture:!0})});var cc={};k(cc,{arrange:()=>me,button:()=>x,chooser:()=>Ze,clip:()=>jn,decimal:()=>Q,drawing:()=>B,element:()=>c,exact:()=>et,label:()=>Ne,notices:()=>Me,penOf:()=>_e,percent:()=>W,position:()=>Ge,range:()=>mn,remember:()=>G,remembered:()=>J,scrolling:()=>ut,short:()=>hn,size:()=>ft,summary:()=>qn,tabular:()=>Mr,visible:()=>pe,whole:()=>U,write:()=>b});function c(n,e="",...t){let o=document.createElement(n);e&&(o.className=e);for(let s of t)s&&(typeof s=="string"||s instanceof Node?o.append(s):Object.assign(o,s));return o}function x(n,e,t,o={}){let s=c("button",n,e,{type:"button",...o});return s.addEventListener("click",t),s}function Ze(n,e){let t=c("input","",{type:"file",accept:n,hidden:!0});return t.addEventListener("change",()=>{e([...t.files??[]]),t.value=""}),t}function ut(n,e,...t){return c("div",n,...t,{tabIndex:0,role:"region",ariaLabel:e})}function B(n,e,...t){let o=document.createElementNS("http://www.w3.org/2000/svg",n);for(let[s,r]of Object.entries(e))o.setAttribute(s,String(r));return o.append(...t),o}function _e(n,e){return n.getContext("2d",e)}function J(n,e){try{return window[n].getItem(e)}catch{return null}}function G(n,e,t){try{window[n].setItem(e,t)}catch{}}function Me(){let n=c("div","playground-notice",{role:"status"});return document.body.append(n),n}function b(n,e){n.textContent!==e&&(n.textContent=e)}function me(n,e){let{children:t}=n;if(t.length===e.length&&e.every((s,r)=>t[r]===s))return;let o=n.getRootNode().activeElement;n.replaceChildren(...e),o instanceof HTMLElement&&n.contains(o)&&o.focus({preventScroll:!0})}function ft(n,e,t){n.style.width=`${e}px`,n.style.height=`${t}px`}function pe(n){let e=n.replaceAll(`
`,"↵").replaceAll("	","⇥");return e.trim()?e:e.replaceAll(" ","␣")}function et(n,e){let t=n.values[e],o=n.hidden?.[e]??0;return n.kind==="mask"?t?"allowed":`blocked${o?` (${ac[o]})`:""}`:o||t===-1/0?`${Q(t)} (masked${o?`: ${ac[o]}`:""})`:n.whole?String(t):Q(t)}function Mr(n,e){let t=n.hidden?.[e]??0,o=n.kind==="mask"?n.values[e]?"allowed":"blocked":n.whole?String(n.values[e]):Q(n.values[e]);return t?`${o} (${ff[t]})`:o}function Q(n){if(n===-1/0||n===null)return"-∞";if(n===0)return"0";let e=Math.abs(n);return e>=1e5||e<.001?n.toExponential(4):n.toFixed(4)}function W(n){if(typeof n!="number"||Number.isNaN(n))return"not measured";for(let e=1;e<=5;e++){let t=(100*n).toFixed(e);if(Number(t)>0&&Number(t)<100||n<=0||n>=1)return`${t.replace(/\.0$/,"")} %`}return n>.5?"almost 100 %":"almost 0 %"}function U(n){return Math.round(n).toLocaleString("en")}function hn(n,e){let t=Math.abs(e);return n.whole||e===0?String(e):t>=1e4||t<.005?e.toExponential(0):e.toFixed(t<9.995?2:t<99.95?1:0)}function lc(n,e){return n.first+e+(n.axis==="V"?0:1)}function Ne(n,e){if(!n.axis)return"";let t=n.names?.names[n.first+e-n.names.first];return t===void 0?String(lc(n,e)):pe(t)}function Ge(n,e,t){if(!e.axis)return"";let o=lc(e,t);return e.names?`${n} “${Ne(e,t)}” (${e.axis} ${o})`:`${e.axis} ${o}`}function mn(n,{first:e,count:t,size:o},s){return t<o?`${n} ${e+s}–${e+t-1+s} of ${o}`:""}function jn(n,e,t){if(n.measureText(e).width<=t+1)return e;let o=e.length-1;for(;o>0&&n.measureText(`${e.slice(0,o)}…`).width>t;)o--;return o>0?`${e.slice(0,o)}…`:""}function qn(n,e){let t=(m,h,p)=>`${m} ${h}${m===1?"":"s"}${p&&` (${p})`}`,o=Array.from(e.values),s=o.filter(Number.isFinite),r=s.reduce((m,h)=>Math.min(m,h),1/0),i=s.reduce((m,h)=>Math.max(m,h),-1/0),a=e.kind==="mask"?0:o.reduce((m,h,p)=>m+ +(h===-1/0||(e.hidden?.[p]??0)>0),0),l=e.kind==="mask"?`${s.filter(Boolean).length} of ${e.values.length} cells allowed`:e.kind==="tokens"?"tokens":s.length?`values from ${Q(r)} to ${Q(i)}`:"no values",d=`${t(e.rows,"row",e.row.axis)} by ${t(e.columns,"column",e.column.axis)}`;return`${n}: ${d}, ${l}${a?`, ${a} masked`:""}.`}var ff,ac,S=y(()=>{ff=["","causal","padding","both","window"],ac=["","causal mask","padding","causal mask and padding","window"]});var mc={};k(mc,{claim:()=>le,free:()=>te,letLettersAct:()=>$r,lettersAct:()=>Yo,nameOf:()=>$e,onLetters:()=>Ar});function te(n){let e=n.key.length>1||n.key===" ";return(_n||e)&&hc(n)}function hc(n){if(n.defaultPrevented||n.isComposing||n.ctrlKey||n.altKey||n.metaKey)return!1;let e=n.composedPath().filter(t=>t instanceof Element);return e.some(t=>t.matches("dialog[open], [role=dialog], [role=listbox], [role=menu]"))||e.some(t=>t.matches(gf)&&!t.matches(bf))?!1:!(yf.test(n.key)&&e.some(t=>t.matches(wf)))}function le(n){n.preventDefault(),n.stopPropagation()}function $e({key:n,shiftKey:e}){return n.length===1?n.toLowerCase():e?`Shift+${n}`:n}function Yo(){return _n}function $r(n){_n=n,G("localStorage",Jo,n?"on":"off")}function Ar(n){dc.add(n)}var gf,bf,wf,yf,Jo,dc,_n,ce=y(()=>{S();gf="input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox]",bf="[type=checkbox], [type=radio], [type=range], [type=button]",wf="[role=slider], [role=spinbutton], [role=radio], [role=radiogroup], [role=tab], [type=radio], [type=range]",yf=/^(Arrow|Page|Home|End)/,Jo="playground single-letter shortcuts",dc=new Set,_n=J("localStorage",Jo)!=="off";addEventListener("storage",({key:n})=>{if(!(n!==Jo&&n!==null)){_n=J("localStorage",Jo)!=="off";for(let e of dc)e()}});document.addEventListener("keydown",n=>!_n&&/^[rc]$/i.test(n.key)&&hc(n)&&n.stopPropagation(),{capture:!0})});var bc={};k(bc,{arrive:()=>Hr,limit:()=>Pr});function Hr(n){if(pc===n)return;pc=n,Dt(),clearInterval(Rr);let e=0,t=0;Rr=setInterval(()=>{let o=document.querySelector(je)?.getAttribute(Oe)==="notRunning";e=o?e+1:0,(e===kf||++t===vf)&&clearInterval(Rr);let{activeElement:s}=document;if(s!==document.body&&!s?.matches(Un))return;let r=o?document.querySelector(`${K} h1`):null;r?.setAttribute("tabindex","-1"),r?.focus({preventScroll:!0})},xf)}function $f({target:n}){if(!(n instanceof HTMLInputElement))return;let{type:e,step:t}=n;e==="number"&&!n.closest(Mf)?n.inputMode=/^\d+$/.test(t)?"numeric":"decimal":n.closest("[class*=st-key-decimal-]")?n.inputMode="decimal":n.closest("[class*=st-key-digits-]")&&(n.inputMode="numeric")}function Pr(n){Nr=Object.fromEntries(Object.entries(n).map(([e,t])=>[e.replace(/[^\w-]/g,"-"),t]))}function Af(){let n=document.querySelector(je)?.getAttribute(Ko),e=gc&&n!=="CONNECTED";if(gc||=n==="CONNECTED",e?Xo||(Xo=setTimeout(()=>b(fc,"Connection lost. Reconnecting …"),Ef)):(clearTimeout(Xo),Xo=0,b(fc,"")),e)for(let t of document.querySelectorAll('section[role="dialog"]'))Rf(t)}function Rf(n){let e=n.querySelector("h2");if(e?.textContent!==Lf)return;e.textContent="Connection lost";let t=s=>[...s.childNodes].some(({nodeType:r})=>r===Node.TEXT_NODE);[...n.querySelectorAll("*")].filter(s=>s!==e&&t(s)).forEach((s,r)=>b(s,r?"":Sf))}var xf,kf,vf,Tf,Ef,Lf,Sf,pc,Rr,Cf,Mf,Nr,Or,uc,fc,Xo,gc,zr=y(()=>{Cr();ce();ne();S();xf=100,kf=10,vf=100,Tf=8e3,Ef=1500,Lf="Connection error",Sf="The server doesn't answer. If you started it yourself, start it again: streamlit run app.py. This page goes on as soon as it is back.",pc=location.pathname.split("/").pop(),Rr=0;Cf={PageDown:.9,PageUp:-.9};addEventListener("keydown",n=>{let e=Cf[n.key];if(!e||n.shiftKey||document.activeElement!==document.body||!te(n)||document.documentElement.hasAttribute("data-present"))return;let t=document.querySelector(K);t?.scrollBy({top:e*t.clientHeight})});Mf=`[class*=st-key-signed-], ${_("change-factor")}, ${_("change-value")}`;for(let n of["pointerdown","focusin"])addEventListener(n,$f,{capture:!0});Nr={},Or=Me(),uc=0;addEventListener("input",({target:n})=>{if(!(n instanceof HTMLInputElement||n instanceof HTMLTextAreaElement))return;let[,e=""]=/st-key-([\w-]+)/.exec(n.closest("[class*=st-key-]")?.className??"")??[],{length:t}=n.value,o=Nr[e]??Nr[""];if(clearTimeout(uc),!(t>o))return b(Or,"");let s=r=>r.toLocaleString("en");b(Or,`The text is too long: ${s(t)} characters. Use ${s(o)} or fewer.`),uc=setTimeout(()=>b(Or,""),Tf)},{capture:!0});fc=Me(),Xo=0,gc=!1;new MutationObserver(Af).observe(document.body,{subtree:!0,attributeFilter:[Ko],childList:!0})});var Vr={};k(Vr,{FULL:()=>xc,LONG_ADDRESS:()=>kc,LONG_PLAN:()=>Dr,MAX_TITLE:()=>Gn,MAX_VIEWS:()=>Qo,add:()=>Fn,change:()=>bt,inFragment:()=>Zo,linkOf:()=>qr,ofLink:()=>_r,onOtherTab:()=>jr,rename:()=>Ur,same:()=>Gr,undo:()=>Wr,undoable:()=>Br,views:()=>Ae});function Ae(n){return Fr(Tc(tt(gt)),n)}function Br(){return tt(pn)!==""&&tt(pn)!==tt(gt)}function Wr(){Kr(tt(pn)||"[]",tt(gt)||"[]")}function bt(n,e){Kr(JSON.stringify(e(Ae(n))),tt(gt)||"[]")}function Ur(n,e,t){let o=s=>JSON.stringify(Fr(Tc(tt(s)),n).map(r=>r.id===e?{...r,title:t}:r));Kr(o(gt),tt(pn)&&o(pn))}function Fn(n,e,t){let o=vc(t,n);return o===null?kc:Ae(n).length>=Qo?xc:(bt(n,s=>[...s,{id:Ec(),title:e.slice(0,Gn),at:o}]),"")}function jr(n){addEventListener("storage",({key:e})=>(e===gt||e===null)&&n())}async function qr(n){let e=JSON.stringify(n.map(({title:i,at:a})=>[i,a])),t=new Blob([e]).stream().pipeThrough(new CompressionStream("deflate-raw")),o=new Uint8Array(await new Response(t).arrayBuffer()),s=btoa(Array.from(o,i=>String.fromCharCode(i)).join("")),r=Ir+s.replaceAll("+","-").replaceAll("/","_").replaceAll("=","");return r.length>wc?null:new URL(r,new URL("./",document.baseURI)).href}function Zo(n){return n.startsWith(Ir)?n.slice(Ir.length):""}async function _r(n,e){try{if(n.length>wc)return null;let t=Uint8Array.from(atob(n.replaceAll("-","+").replaceAll("_","/")),a=>a.charCodeAt(0)),o=new Blob([t]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream),s="";for(let a=o.getReader();;){let{done:l,value:d}=await a.read();if(l)break;if(s+=d,s.length>Nf)return null}let r=JSON.parse(s);if(!Array.isArray(r))return null;let i=Fr(r.map(a=>({id:Ec(),title:a?.[0],at:a?.[1]})),e);return{plan:i,left:r.length-i.length}}catch{return null}}function Gr(n,e){return n.length===e.length&&n.every(({title:t,at:o},s)=>t===e[s].title&&o===e[s].at)}function Fr(n,e){return Array.isArray(n)?n.flatMap(t=>{let o=typeof t?.at=="string"?vc(t.at,e):null;return o===null||typeof t.id!="string"||typeof t.title!="string"?[]:[{id:t.id,title:t.title.slice(0,Gn),at:o}]}).slice(0,Qo):[]}function vc(n,e){let t=new URL("./",document.baseURI),o=URL.canParse(n,t.href)&&new URL(n,t.href);if(!o||o.origin!==t.origin||!o.pathname.startsWith(t.pathname)||n.length>Of)return null;let s=o.pathname.slice(t.pathname.length);return e.includes(s)?`${s||"./"}${o.search}`:null}function Tc(n){try{return JSON.parse(n)}catch{return null}}function tt(n){return yc[n]||(J("localStorage",n)??"")}function Kr(n,e){for(let[t,o]of[[gt,n],[pn,e]])G("localStorage",t,o),yc[t]=J("localStorage",t)===o?"":o}function Ec(){return crypto.getRandomValues(new Uint32Array(2)).join("-")}var Qo,Gn,Of,wc,Nf,Ir,gt,pn,yc,xc,kc,Dr,es=y(()=>{S();Qo=40,Gn=100,Of=2e3,wc=8e3,Nf=2e5,Ir="#plan=",gt="playground lesson plan",pn=`${gt} before`,yc={},xc=`A lesson plan holds ${Qo} views at most. Delete one first.`,kc="The link to this view is too long for a lesson plan.",Dr="This plan is too long for a link. Delete some of its views."});var Lc={};k(Lc,{PlanPanel:()=>Kn});function Pf(n,e,t){let o=n.findIndex(r=>r.id===e);if(o<0||!n[o+t])return n;let s=[...n];return[s[o],s[o+t]]=[s[o+t],s[o]],s}var Hf,Kn,Jr=y(()=>{es();S();Hf="No views yet. “Add to plan” is in Share on every page; the key A does the same, also while you present.",Kn=class{around;rows=new Map;list=c("ol","views");note=c("p","note",{role:"status"});present=x("main","Present",()=>this.start(this.plan[0]));share=x("","Share plan",()=>this.toLink());undo=x("","Undo",()=>this.act(Wr,"Undone."));clear=x("","Clear",()=>this.act(()=>bt(this.pages,()=>[]),"The plan is empty now."));dialog;constructor(e){this.around=e;let t=x("close","✕",()=>this.dialog.close(),{ariaLabel:"Close",title:"Close (Esc)"}),o=x("","Add this view",()=>this.addHere());this.dialog=c("dialog","plan",c("header","",c("h2","","Lesson plan"),t),this.note,this.list,c("div","wrap",this.present,this.share,o,this.undo,this.clear),{ariaLabel:"Lesson plan"}),this.dialog.addEventListener("click",({target:s,clientX:r,clientY:i})=>{let{left:a,right:l,top:d,bottom:m}=this.dialog.getBoundingClientRect(),h=r>=a&&r<=l&&i>=d&&i<=m;s===this.dialog&&!h&&this.dialog.close()}),this.dialog.addEventListener("keydown",s=>s.stopPropagation()),jr(()=>this.dialog.open&&this.draw())}get pages(){return this.around.pages()}get plan(){return Ae(this.pages)}open(e=""){this.draw(e),this.dialog.open||this.dialog.showModal()}draw(e=""){let{plan:t}=this,o=t.map((s,r)=>{let i=this.rows.get(s.id)??this.row(s);return this.rows.set(s.id,i),i.name.ariaLabel=`Name of view ${r+1}`,i.name.matches(":focus")||(i.name.value=s.title),i.node});me(this.list,o),b(this.note,e||(t.length?"":Hf));for(let s of[this.present,this.share,this.clear])s.disabled=!t.length;this.undo.hidden=!Br()}row({id:e,title:t}){let o=a=>this.act(()=>bt(this.pages,l=>Pf(l,e,a))),s=c("input","",{type:"text",value:t,maxLength:Gn}),r=(a,l,d)=>x("",a,d,{ariaLabel:`${l}: ${t}`,title:l}),i=c("li","",s,r("▶","Present from here",()=>this.start(this.plan.find(a=>a.id===e))),r("↑","Move up",()=>o(-1)),r("↓","Move down",()=>o(1)),r("✕","Delete",()=>this.act(()=>bt(this.pages,a=>a.filter(l=>l.id!==e)),"Deleted.")));return s.addEventListener("input",()=>Ur(this.pages,e,s.value)),{node:i,name:s}}act(e,t=""){e(),this.draw(t);let{activeElement:o}=document;(!this.dialog.contains(o)||o===this.dialog)&&this.dialog.querySelector(".close")?.focus()}addHere(){let{title:e,address:t}=this.around.here(),o=Fn(this.pages,e,t);this.draw(o||`Added: ${e}`)}start(e){if(!e)return this.draw();this.dialog.close(),this.around.present(e)}async toLink(){let e=await qr(this.plan);if(e===null)return this.draw(Dr);this.dialog.close(),this.around.share(e)}}});var Sc={};k(Sc,{themes:()=>Yr});function Yr(){let n=Object.entries(zf).map(([o,s])=>new Option(s,o)),e=c("select","small-button",...n,{ariaLabel:"Theme",title:"Choose a light or dark theme",value:If()});e.addEventListener("change",()=>Df(e.value));let t=c("span","symbol",{ariaHidden:"true"});return t.innerHTML='<svg viewBox="0 0 14 14"><circle cx="7" cy="7" r="6"/><path d="M7 1a6 6 0 0 1 0 12z" fill="currentColor"/></svg>',c("span","theme",e,t)}var zf,If,Df,Xr=y(()=>{S();zf={"":"System theme",light:"Light theme",dark:"Dark theme"},{chosen:If,choose:Df}=window.playgroundTheme});var Cc={};k(Cc,{Acts:()=>oe});var oe,nt=y(()=>{oe=class{pending=[];#e=0;#t="";#o=null;#r=0;#n=0;adopt({session:e,heard:t},o){this.#o=o;let s=this.pending.length;this.#t!==e&&(this.pending=[]),this.#t=e,this.pending=this.pending.filter(([r])=>r>t),this.#e=Math.max(this.#e,t),this.pending.length<s&&(clearTimeout(this.#n),this.#n=0),this.#s()}release(){this.#o=null}add(e,t="",o=null){this.pending.push([++this.#e,e,t,o]),this.#s()}#s(){!this.#o||this.#n||!this.pending.length||(this.#n=setTimeout(()=>{this.#n=0,this.#s()},3e3),this.#o({session:this.#t,message:++this.#r,acts:[...this.pending]}))}}});var Nc={};k(Nc,{alike:()=>Bt,bare:()=>ti,keep:()=>Vn,onAddress:()=>ei,renew:()=>un,setLink:()=>ts,shared:()=>fn,visit:()=>wt});function Vn(n,e){Zr.set(n,e)}function un(){history.replaceState(history.state,"",location.href)}function ei(n){Ac.add(n)}function ts(n){Rc=n,ns()}function fn(){let n=ti(new URL(location.href));for(let[e,t]of Object.entries(Rc))n.searchParams.set(e,t);return n}function ti(n){for(let e of Zr.keys())n.searchParams.delete(e);return n}function Bt(n,e){let[t,o]=[n,e].map(s=>ti(new URL(s)));for(let{searchParams:s}of[t,o])s.sort();return t.pathname===o.pathname&&String(t.searchParams)===String(o.searchParams)}function wt(n){history.pushState(history.state,"",n.href),dispatchEvent(new PopStateEvent("popstate",{state:history.state}))}function Oc(n){if(n==null)return n;let e=new URL(n,location.href),t=e.href;for(let[o,s]of Zr){let r=s();e.searchParams.get(o)!==r&&(r===null?e.searchParams.delete(o):e.searchParams.set(o,r))}return e.href===t?n:e.href}function ns(){for(let n of Ac)n()}var Mc,Bf,$c,Zr,Ac,Qr,Rc,gn=y(()=>{Mc="compare",Bf=history.pushState.bind(history),$c=history.replaceState.bind(history),Zr=new Map,Ac=new Set,Qr={from:"",at:-1/0},Rc={};history.replaceState=(n,e,t)=>{$c(n,e,Oc(t)),ns()};history.pushState=(n,e,t)=>{let o=Oc(t),s=new URL(o??"",location.href),r=s.pathname!==location.pathname,i=s.searchParams.has(Mc)&&!new URLSearchParams(location.search).has(Mc);!r&&location.search&&!s.search&&(Qr={from:location.href,at:performance.now()}),r&&!location.search&&performance.now()-Qr.at<1e3&&history.replaceState(history.state,"",Qr.from),r||i?Bf(n,e,s.href):$c(n,e,o),ns()};addEventListener("popstate",ns)});var R,j=y(()=>{R=`/* What the sheets of components share. Rules in :where() give way to any other. */
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
`});var Pc,Hc=y(()=>{Pc=`/* The map's components: the way to an operation, the outline, the window of keys, the statement in its function. */
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
`});var Ic={};k(Ic,{calm:()=>Y,dress:()=>fe,mapSheets:()=>He});function jf(n){let e=zc.get(n);return e||(e=new CSSStyleSheet,e.replaceSync(n),zc.set(n,e)),e}function fe(n,e){let t=n.getRootNode(),o=e.map(jf).filter(s=>!t.adoptedStyleSheets.includes(s));o.length&&(t.adoptedStyleSheets=[...t.adoptedStyleSheets,...o])}function Y(){return matchMedia("(prefers-reduced-motion: reduce)").matches}var zc,He,Z=y(()=>{j();Hc();zc=new Map;He=[R,Pc]});var Dc={};k(Dc,{Shown:()=>se,asked:()=>ge,curve:()=>yt,lit:()=>ke,opener:()=>wn,output:()=>Pe,siblings:()=>bn,slide:()=>re,slides:()=>yn,turned:()=>Jn,walk:()=>X});var se,ke,X,bn,re,wn,Pe,yt,ge,Jn,yn,de=y(()=>{se=class{value=null;#e=null;#t=new Set;watch(e){return this.#t.add(e),e(this.value),()=>{this.#t.delete(e)}}set(e,t){if(!t&&this.#e!==e)return!1;this.#e=t&&e,this.value=t;for(let o of this.#t)o(t);return!0}},ke=new se,X=new se,bn=new se,re=new se,wn=new se,Pe=new se,yt=new se,ge=new se,Jn=new se,yn=new se});var Bc={};k(Bc,{component:()=>C});function C(n,e,t){let o=new WeakMap;return s=>{let r=s.parentElement,i=o.get(r)??{drawn:(fe(r,n),e(r)),calls:0};o.set(r,i);let a=++i.calls;return t(i.drawn,s),()=>setTimeout(()=>{i.calls===a&&(i.drawn.close(),o.delete(r))},qf)}}var qf,I=y(()=>{Z();qf=500});var ed={};k(ed,{Fields:()=>kt,Live:()=>ze,listen:()=>vt});function vt(n,e){let t=xt.get(n);t||xt.set(n,t={version:0,listeners:new Set,whole:null});let{listeners:o,whole:s}=t;return s?e(s):[t.version,oi]=[0,!0],o.add(e),os(Wc),()=>{o.delete(e),os(Wc)}}function os(n){clearTimeout(Fe.open),Fe.open=setTimeout(Fc,n)}function Fc(){for(let[e,{listeners:t}]of xt)t.size||xt.delete(e);let n=[...xt.keys()].sort().join(`
`);Yn&&n===ni&&!oi||(ss(),[ni,oi]=[n,!1],!(!xt.size||document.hidden&&si)&&(Yn=performance.now()<ii?eg():Qf()))}function ss(){Yn?.(),Yn=null,clearTimeout(Fe.watch)}function ai(){ss(),Fc()}function Kc(){ss(),os(Xc())}function Qf(){let n=new EventSource(Qc());return Yc(qc,()=>Jc("")),n.onmessage=({data:e})=>{jc(),Zc(e)},n.addEventListener("beat",jc),n.onerror=()=>{if(n.readyState!==EventSource.CLOSED)return Kc();clearTimeout(Fe.watch),Yn=Zf()},()=>n.close()}function Zf(){let n=new AbortController;return Vc("",n.signal).then(e=>{n.signal.aborted||(e?.status===429?Jc(e.text):Kc())}),()=>n.abort()}function eg(){let n=new AbortController,e=0,t=async()=>{let o=await Vc("&once=1",n.signal);if(n.signal.aborted)return;let s=o?.status===200;if(s){ri=0;for(let r of o.text.split(`
`))r.startsWith("data: ")&&Zc(r.slice(6))}if(performance.now()>=ii)return ai();e=setTimeout(t,s?Gc?Ff:Gf:Xc())};return t(),()=>{n.abort(),clearTimeout(e)}}async function Vc(n,e){try{let t=await fetch(Qc(n),{signal:AbortSignal.any([e,AbortSignal.timeout(qc)])});return{status:t.status,text:await t.text()}}catch{return null}}function Jc(n){ii=performance.now()+Vf*2**Math.min(_c++,Jf),Gc=!!n,li(n),ai()}function jc(){ri=_c=0,li(""),Yc(_f,ai)}function li(n){clearTimeout(Fe.notice),b(Xf,n),n&&(Fe.notice=setTimeout(li,Kf,""))}function Yc(n,e){clearTimeout(Fe.watch),Fe.watch=setTimeout(e,n)}function Xc(){return Uc[Math.min(ri++,Uc.length-1)]*(1+Math.random()/2)}function Qc(n=""){let e=new URLSearchParams([...xt].map(([t,{version:o}])=>["c",`${t}@${o}`]));return new URL(`./live?${e}${n}`,document.baseURI)}function Zc(n){let e=JSON.parse(n),t=xt.get(e.channel);if(t){if(e.version?t.version=e.version:e.gone&&([t.version,t.whole]=[1,null]),e.fields){let o=e.whole?{}:t.whole?.fields;t.whole={...e,whole:!0,fields:{...o,...e.fields}}}for(let o of[...t.listeners])try{o(e)}catch(s){console.error(s)}}}var Wc,_f,qc,Gf,Ff,Kf,Vf,Jf,Yf,Uc,xt,Yn,ni,oi,ri,_c,ii,Gc,Fe,si,Xf,kt,ze,Ie=y(()=>{S();Wc=30,_f=12e4,qc=5e3,Gf=1e3,Ff=3e3,Kf=8e3,Vf=6e4,Jf=6,Yf=5e3,Uc=[500,1e3,2e3,4e3,8e3],xt=new Map,Yn=null,ni="",oi=!1,ri=0,_c=0,ii=0,Gc=!1,Fe={open:0,watch:0,hide:0,notice:0},si=!1,Xf=Me();document.addEventListener("visibilitychange",()=>{if(clearTimeout(Fe.hide),si=!1,!document.hidden)return os(0);Fe.hide=setTimeout(()=>{si=!0,ss(),ni=""},Yf)});kt=class{close;values={};at=0;gone=!1;constructor(e,t){let o=!1;this.close=vt(e,s=>{this.gone=!!s.gone,s.gone||(this.values=s.whole?s.fields:{...this.values,...s.fields},this.at=s.at),o&&t()}),o=!0}},ze=class{changed;channel="";at=0;now={};fields=null;constructor(e){this.changed=e}show({channel:e,at:t,now:o}){e!==this.channel&&(this.close(),this.fields=e?new kt(e,this.changed):null),Object.assign(this,{channel:e,at:t,now:o})}get isNewer(){return this.fields!==null&&this.fields.at>this.at}get values(){return this.fields&&this.isNewer?this.fields.values:this.now}close(){this.fields?.close()}}});var od={};k(od,{begin:()=>gi,follow:()=>ot,forget:()=>xn,hostKey:()=>Tt,join:()=>Ut,joinLink:()=>rs,know:()=>be,lead:()=>to,leave:()=>eo,open:()=>pi,presenterLink:()=>ui,room:()=>H,send:()=>q,spaced:()=>Wt});function Wt(n){return`${n.slice(0,3)} ${n.slice(3)}`}function Tt(n){try{let e=JSON.parse(J("localStorage",Xn)??"{}");return e.code===n&&typeof e.host=="string"?e.host:""}catch{return""}}async function q(n,e={},t=ie?.code){let o=t?`./room/${t}/${n}`:"./room",s=t?Tt(t):"";try{let r=JSON.stringify(s?{host:s,...e}:e),i=await fetch(new URL(o,document.baseURI),{method:"POST",body:r,headers:{"Content-Type":"application/json"}});return i.ok?{ok:!0,fields:i.headers.get("content-type")?.includes("json")?await i.json():await i.text()}:{ok:!1,status:i.status,why:await i.text()}}catch{return{ok:!1,status:0,why:"The server doesn't answer. Try again."}}}async function pi(){let n=await q("",{},"");return n.ok?(G("localStorage",Xn,JSON.stringify(n.fields)),G("sessionStorage",Zn,n.fields.code),fi(n.fields.code),""):n.why}async function Ut(n,e={}){clearTimeout(hi);let t=await q("join",e,n);return t.ok?(fi(n.toUpperCase().replace(/[^A-Z0-9]/g,""),t.fields),""):(t.status?ie||eo():hi=window.setTimeout(Ut,tg,n,e),t.why)}function eo(){di(),clearTimeout(hi),ie=null,nd="";for(let n of[Zn,mi])G("sessionStorage",n,"");H.set(H,null),un()}function xn(n){Tt(n)&&G("localStorage",Xn,""),eo()}function to(){ie&&(G("sessionStorage",Zn,ie.code),be({leads:!0}))}function ot(n){!ie||ie.follows===n||(G("sessionStorage",td,n?"":ie.code),be({follows:n}))}function ui(n){return`${new URL(`./?${Qn}=${n}`,document.baseURI).href}${ci}${Tt(n)}`}function rs(n){return new URL(`./?${Qn}=${n}`,document.baseURI).href}function be(n){ie&&H.set(H,ie={...ie,...n})}function fi(n,e=null){let t=!!Tt(n);if(ie?.code===n)return be({seat:e??ie.seat,isHost:t});di(),e&&G("sessionStorage",mi,n);let o=t&&J("sessionStorage",Zn)===n;ie={code:n,state:null,seat:e,isHost:t,leads:o,follows:J("sessionStorage",td)!==n,gone:!1,late:0},H.set(H,ie),un();let[,s=""]=/~(.*)\./.exec(Tt(n))??[];di=vt(e?.channel??`room/${n}/${s}`,({gone:r,fields:i})=>{if(r)return be({gone:!0});!i||i.v<(ie?.state?.v??0)||be({state:i,gone:!1,late:i.time-Date.now()/1e3})})}async function gi(){let n=new URLSearchParams(location.search).get(Qn)||(J("sessionStorage",mi)??"");if(location.hash.startsWith(ci)&&n&&(G("localStorage",Xn,JSON.stringify({code:n,host:decodeURIComponent(location.hash.slice(ci.length))})),G("sessionStorage",Zn,n),history.replaceState(history.state,"",location.pathname+location.search)),n&&!Tt(n))return Ut(n);let e=n;try{e||=JSON.parse(J("localStorage",Xn)??"{}").code??""}catch{}return e&&Tt(e)&&fi(e),""}var Qn,Xn,ci,Zn,mi,td,tg,H,ie,di,hi,nd,st=y(()=>{gn();Ie();de();S();Qn="room",Xn="playground room",ci="#host=",Zn="playground room led",mi="playground room joined",td="playground room explored",tg=3e3,H=new se,ie=null,di=()=>{},hi=0,nd=new URLSearchParams(location.search).get(Qn)??"";Vn(Qn,()=>ie?.code??(nd||null))});var id={};k(id,{checkRoom:()=>bi});async function bi(n){let e=performance.now(),t=i=>{n(`${i}: ${Math.round(performance.now()-e)} ms`,!0),e=performance.now()},o=async(i,a,l)=>{let d=await q(i,{...a},l);if(!d.ok)throw new Error(d.why);return d.fields},s={code:"",host:""},r=null;try{s=await o("",{},""),t("Room opened");let i=await Promise.all(Array.from({length:no},()=>sd(s.code,"join",{})));t(`${no} seats joined`);let a=ng(s.code);if(r=a.events,!await a.until(d=>d.counts.seats===no)){n("Events don't arrive: a proxy holds them back. Pages ask the server every second instead. Turn off buffering for /live and /room.",!1);return}t("Events arrive");let l={host:s.host};await o("ask",{...l,kind:"choice",text:"Check",choices:["Yes","No"]},s.code),await is(a,d=>d.question?.state==="open"),t("Question arrived"),await Promise.all(i.map(({seat:d},m)=>sd(s.code,"answer",{seat:d,question:1,answer:m%2}))),await is(a,d=>d.counts.answers===no),t(`${no} answers counted`),await o("reveal",l,s.code),await is(a,d=>d.question?.result?.choices?.join()==="2,1"),t("Answers revealed"),await o("end",l,s.code),await is(a,d=>d.mode==="ended"),t("Room ended"),s.code=""}catch(i){n(`${i instanceof Error?i.message:i} The check stopped here.`,!1)}finally{r?.close(),s.code&&await q("end",{host:s.host},s.code)}}async function is(n,e){if(!await n.until(e))throw new Error(`No event came within ${rd/1e3} s. A proxy may hold events back.`)}async function sd(n,e,t){let o=await fetch(new URL(`./room/${n}/${e}`,document.baseURI),{method:"POST",credentials:"omit",body:JSON.stringify(t),headers:{"Content-Type":"application/json"}});if(!o.ok)throw new Error(await o.text());return o.json()}function ng(n){let e=new EventSource(new URL(`./room/${n}/events`,document.baseURI)),t=null,o=()=>{};return e.onmessage=({data:r})=>{t=JSON.parse(r),o()},{events:e,until:r=>new Promise(i=>{let a=setTimeout(i,rd,!1);o=()=>{!t||!r(t)||(clearTimeout(a),i(!0))},o()})}}var no,rd,wi=y(()=>{st();no=3,rd=8e3});var dd={};k(dd,{MODES:()=>cd,dialogOf:()=>Tn,modes:()=>as,openRoom:()=>vn,people:()=>ls,showCard:()=>kn,showDoor:()=>so,tell:()=>we});async function vn(){if(H.value?.isHost)return kn();if(H.value)return we(`You are in room ${Wt(H.value.code)}. Leave it before you open your own.`);let n=await pi();n?we(n):kn()}function kn(){H.value?.isHost&&(yi.draw(H.value),yi.dialog.open||yi.dialog.showModal())}function so(){b(oo.note,""),oo.field.value="",oo.dialog.open||oo.dialog.showModal(),oo.field.focus()}function we(n){b(ag,n),clearTimeout(ld),n&&(ld=window.setTimeout(we,ig,""))}function as(){let n=cd.map(([t,o,s])=>x("",o,()=>lg(t),{title:s,value:t}));return{node:c("div","modes",...n,{role:"group",ariaLabel:"Mode of the room"}),draw:t=>n.forEach(o=>o.ariaPressed=String(o.value===t))}}async function lg(n){let e=await q("lead",{mode:n});e.ok?H.value?.state&&be({state:{...H.value.state,mode:n}}):we(e.why)}function ls(n){return n===1?"1 person has joined":`${n} people have joined`}function Tn(n,e,...t){let o=x("close","✕",()=>s.close(),{ariaLabel:"Close",title:"Close (Esc)"}),s=c("dialog",n,c("header","",c("h2","",e),o),...t,{ariaLabel:e});return s.addEventListener("keydown",r=>r.stopPropagation()),document.body.append(c("div","playground-room",s)),s}function cg(){let n=c("div","code"),e=c("p","link"),t=c("img","qr",{alt:"QR code of the link"}),o=c("p","seats"),s=c("p","note",{role:"status"}),r=c("p","care","Only this computer can open this address. For a class on your network, set ",c("code","","PLAYGROUND_ALLOWED_HOSTS")," and ",c("code","","--server.address")," to this computer's IP address and start the app again.",{hidden:!og.test(location.hostname)}),i=c("ol","steps",{ariaLive:"polite"}),a=as(),l=async(N,O)=>{try{await navigator.clipboard.writeText(N),b(s,O)}catch{b(s,`The browser did not allow it. Copy this: ${N}`)}},d=()=>H.value,m=x("","End the room",()=>p(!0)),h=c("p","sure","End the room for everybody? ",x("","End",()=>u()),x("","Keep it open",()=>p(!1))),p=N=>{[m.hidden,h.hidden]=[N,!N],(N?h.querySelector("button"):m)?.focus()};h.hidden=!0;let u=async()=>{let N=await q("end");[m.hidden,h.hidden]=[!1,!0],b(s,N.ok?"":N.why)},f=x("","Check my room",async()=>{f.disabled=!0,i.replaceChildren(c("li","",ad)),await bi((N,O)=>i.append(c("li",O?"good":"wrong",N))),f.disabled=!1},{title:ad}),g=x("main","Open a new room",()=>{xn(d().code),vn()}),w=c("div","wrap",x("","Copy link",()=>l(rs(d().code),"Link copied.")),x("","Copy presenter link",()=>l(ui(d().code),"Presenter link copied. Whoever has it leads the room."))),v=c("div","",m,h),L=c("div","wrap",f,x("","Download answers (CSV)",async()=>b(s,await dg(d().code))),v,g),E=c("div","sides",c("div","words",n,e,o,r,a.node),t),T=c("p","small","Whoever has the presenter link leads the room, such as your second device."),$=c("p","small",sg),A=Tn("card","",E,w,T,L,s,i,$,c("p","small",...rg.flatMap(N=>[N,c("br")])));A.addEventListener("close",()=>H.value?.state?.mode==="ended"&&xn(H.value.code));let P=({code:N,state:O})=>{let xe=O?.mode==="ended",dn=xe?"This room has ended":"Join this room";A.ariaLabel=dn,b(A.querySelector("h2"),dn);for(let af of[E,w,T,f,v,i,$])af.hidden=xe;g.hidden=!xe,b(n,Wt(N));let Yl=rs(N);b(e,Yl.replace(/^https?:\/\//,""));let Xl=new URL(`./qr?text=${encodeURIComponent(Yl)}`,document.baseURI).href;t.src!==Xl&&(t.src=Xl),b(o,ls(O?.counts.seats??0)),a.draw(O?.mode??"")};return H.watch(N=>{N?.isHost?P(N):A.open&&A.close()}),{dialog:A,draw:P}}async function dg(n){let e=await q("csv",{},n);if(!e.ok)return e.why;let t=c("a","",{href:URL.createObjectURL(new Blob([e.fields],{type:"text/csv"})),download:`room-${n}.csv`});return t.click(),URL.revokeObjectURL(t.href),"Answers downloaded."}function hg(){let n=c("input","",{type:"text",autocomplete:"off",spellcheck:!1,maxLength:12,placeholder:"K7P 4QX"});n.autocapitalize="characters";let e=c("p","note",{role:"alert"}),t=c("button","main","Join",{type:"submit"}),o=c("form","",c("label","","Code",n),t);o.addEventListener("submit",async r=>{r.preventDefault(),t.disabled=!0;let i=n.value.trim()?await Ut(n.value.trim()):"Type the code that the host shows.";t.disabled=!1,b(e,i),i?n.focus():s.close()});let s=Tn("door","Join a room",o,e,c("p","small","You get a name. Nobody needs an account."));return{dialog:s,field:n,note:e}}var cd,og,sg,rg,ad,ig,ag,ld,yi,oo,ro=y(()=>{S();wi();st();cd=[["lead","Lead","The class sees what you see"],["free","Free","Each person looks around alone"],["pause","Pause","Asks the class to look at the front"]],og=/^(localhost|127\.|\[::1\])/,sg="The class can open your runs and the checkpoints of this server. On a shared server, the checkpoints in your own library stay private.",rg=["Kept: the names that were dealt, and answers without names.","All of it is deleted 2 hours after the room ends."],ad="The check opens a trial room with 3 seats and ends it. Your own room stays as it is.",ig=1e4,ag=Me(),ld=0,yi=cg(),oo=hg()});var Od={};k(Od,{default:()=>Eg,listen:()=>Lg});function Lg({data:n,setStateValue:e}){return xi=n,ts(n.link),hs.adopt(n,t=>e("acts",t)),()=>{xi===n&&(xi=null,ts({}),hs.release())}}function jt(){return En?.node.isConnected?En.data:null}function co(){return(jt()?.slides??[]).filter(({parts:n,panels:e})=>{let t=document.querySelector(_(n.at(-1)??"")),o=t&&e.length?[...t.querySelectorAll("*")].find(s=>s.shadowRoot)?.shadowRoot:null;return t&&(!e.length||e.some(s=>o?.querySelector(`[data-panel="${s}"]`)))})}function Et(){if(z===null)return null;let n=co();return n.find(({name:e})=>e===z)??(z===wd?n.at(-1):n[0])??null}function ud(n){if(ys()>=0)return $d(n);if(Sg(n))return;let e=co(),t=Et()?.name,o=e.findIndex(({name:s})=>s===t)+n;e[o]?qt(e[o].name):Ti(n,n>0?gs:wd)}function Sg(n){let e=document.querySelector(K);if(!e||!Et()||e.scrollHeight<(1+yg)*e.clientHeight)return!1;let t=e.scrollTop;return e.scrollBy({top:n*.9*e.clientHeight,behavior:"instant"}),Math.abs(e.scrollTop-t)>8}function qt(n){lo="",z=n,un(),bs()}function bs(){let n=co();if(n.some(r=>r.name===lo))return qt(lo);let e=Et(),t=e?.name??null;z!==null!==ae.hasAttribute("data-present")&&(z===null?Mg:Td)(),t!==(ae.dataset.slide??null)&&(t===null?delete ae.dataset.slide:ae.dataset.slide=t,ae.dataset.parts=(e?.parts??[]).join(" "),D.rules.textContent=e?Cg(e):"",document.querySelector(K)?.scrollTo(0,0),D.announcement.textContent=[e?.title,ds()].filter(Boolean).join(", "),Si(),re.set(ae,e)),Ld();let o=n.length>1&&!ds()?n.map(r=>r.name===t?"●":"○").join(" "):"";D.dots.textContent!==o&&(D.dots.textContent=o);let s=X.value?.host.isConnected?X.value.crumbs.map(([r])=>r).join(" › "):"";b(D.where,[ds(),document.querySelector(fg)?.textContent,s].filter(Boolean).join(" · "))}function Cg({parts:n}){let e=`:is(${n.map(_).join(", ")})`,t=`[data-present]:has(${e}) ${Bn}`;return`
    ${t} ${Wn}:not(${e}, :has(${e}), ${e} *) {
      height: 0 !important; inset-inline: 0; min-height: 0; overflow: hidden; position: absolute; visibility: hidden;
    }
    ${t} ${Fo}:has(${e}) { flex: 1 1 100%; max-width: none; min-width: 100%; }
    ${t} ${Tr}:has(${e}) { min-height: 0; }`}function Td(){ae.setAttribute("data-present",""),document.activeElement?.blur(),Si(),Ai(),D.tell(xd),Sd(),vd=setInterval(bs,400)}function Mg(){Ci(""),ae.removeAttribute("data-present"),ae.style.removeProperty("--present-scale"),ae.style.removeProperty("--least"),clearInterval(vd),io?.release(),D.tell(""),rt(null),Ai(),document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function Li(n){if(n)Mi(n);else{if(z!==null||!jt()?.slides.length)return;qt(gs)}document.fullscreenElement||ae.requestFullscreen?.().then(()=>z===null?document.exitFullscreen():void 0).catch(()=>{})}function ps(){z!==null&&qt(null)}function vi(){return Math.max(1,Math.min(innerWidth/1024,innerHeight/576))}function Si(){z!==null&&(Ed(vi()),Ld())}function Ed(n){ki=n,ae.style.setProperty("--present-scale",n.toFixed(3)),ae.style.setProperty("--least",`${kg*(n<xg*vi()?n:vi())}px`)}function Ld(){let n=document.querySelector(K);if(!(!n||!Et()?.shrinks))for(;n.scrollHeight>n.clientHeight+1&&ki>hd;)Ed(Math.max(hd,ki*.96))}async function Sd(){if(!(z===null||document.hidden||io))try{let n=await navigator.wakeLock.request("screen");n.addEventListener("release",()=>io===n&&(io=null)),io=n,z===null&&n.release()}catch{z!==null&&D.tell(`${xd} · This browser can turn the screen off`)}}function Ag(){let n=Et(),e=n&&document.querySelector(`${_(n.parts.at(-1)??"")} ${Er}`);if(!n||!e)return!1;let t=jt()?.slides??[];return lo=t[t.indexOf(n)+1]?.name??"",e.click(),!0}function Rg(n){let e=X.value?.host.isConnected?X.value:null;return!!(n==="next"?e?.last:e?.first)}function Ti(n,e=gs){let t=jt(),o=t?.pages[t.pages.indexOf(t.page)+n];if(o===void 0)return D.tell(n>0?"This is the last slide of the last page.":"This is the first slide.");z=e,[...document.querySelectorAll(Un)].find(i=>new URL(i.href).pathname.split("/").pop()===o)?.click()}function De(){return jt()?.pages??[]}function Cd(){let n=fn(),e=Et()?.name;return e!==void 0&&n.searchParams.set(fs,e),n.href}function Md(){let n=X.value?.host.isConnected?X.value.crumbs.slice(-2).map(([o])=>o).join(" › "):"",e=document.querySelector(ug)?.textContent,t=co().length>1?Et()?.title:"";return[jt()?.title,n,e,t].filter(Boolean).join(": ")}function ws(){let n=Md(),t=Fn(De(),n,Cd())||`Added to the lesson plan as view ${Ae(De()).length}: ${n}`;return D.code.open||(z!==null?D.tell(t):b(md,t),clearTimeout(pd),pd=setTimeout(()=>b(md,""),yd)),t}function Ci(n){ms=n,G("sessionStorage",kd,n)}function ys(){return ms?Ae(De()).findIndex(({id:n})=>n===ms):-1}function ds(){let n=ys();return n<0?"":`${n+1} of ${Ae(De()).length}`}function $d(n){let e=Ae(De())[ys()+n];e?Mi(e):D.tell(n>0?"This is the last view of the lesson plan.":"This is the first view of the lesson plan.")}function Mi(n){let e=new URL(n.at,document.baseURI),t=e.searchParams.get(fs)??gs;if(Ci(n.id),lo="",z=t,Bt(e,new URL(location.href)))return qt(t);wt(e),bs()}async function Ad(){if(!cs||!De().length)return;let n=cs;cs="",history.replaceState(history.state,"",location.pathname+location.search);let e=await _r(n,De());if(!e?.plan.length)return Ln.open("This link has no lesson plan that can be read. Ask for the link again.");let t=Ae(De()),o=[e.left&&`${e.left} of its views lead to no page of this app and are left out.`];Gr(t,e.plan)||(bt(De(),()=>e.plan),o.unshift("This plan came with the link."),t.length&&o.push("Undo brings your own plan back.")),Ln.open(o.filter(Boolean).join(" "))}function Ei(n){document.body.dispatchEvent(new KeyboardEvent("keydown",{key:n,bubbles:!0,cancelable:!0,composed:!0}))}function Og(n){return n instanceof Element&&!n.matches("html, body")&&(n.matches("input, textarea, [role=slider], .playground-presenter")||n.scrollWidth>n.clientWidth+1&&["auto","scroll"].includes(getComputedStyle(n).overflowX))}function Rd(){let n=Et()?.name,e=(r,i,a=!1)=>x("",r,()=>(D.menu.hidePopover(),i()),{ariaCurrent:a?"true":null}),t=(r,...i)=>c("section","",c("h2","",r),...i),o=Ae(De()),s=ds();D.menu.replaceChildren(t("Slides of this page",...co().map(({name:r,title:i})=>e(i,()=>qt(r),r===n))),t(`Lesson plan${s&&`: ${s}`}`,...o.map((r,i)=>e(`${i+1} ${r.title}`,()=>Mi(r),r.id===ms)),e("Add this slide to the plan",ws),e("Edit the plan",()=>Ln.open()),...s?[e("Leave the plan",()=>Ci(""))]:[])),D.menu.togglePopover(),(D.menu.querySelector("[aria-current]")??D.menu.querySelector("button"))?.focus()}function rt(n,e=""){if(n==="code"){D.encode(e||fn().href),D.code.ariaLabel=e?"Share: a link that carries the lesson plan":"Share: a link to what this page shows",D.toPlan.hidden=!!e;let o=/^(localhost|127\.|\[::1\])/.test(location.hostname);D.hint.textContent=o?"This link works on this computer only. For others, open the app by its name in the network.":""}let t=D.covered();D.black.hidden=n!=="black",n!=="code"?D.code.close():D.code.open||D.code.showModal(),n==="code"?D.copy.focus():t&&(D.copy.blur(),En?.share.focus({preventScroll:!0}))}function Ng(){let n=document.createElement("style");document.head.append(n);let e=c("img","",{alt:"QR code of the link below"}),t=c("p","address"),o=c("p","hint",{role:"status"}),s=c("div","black",{hidden:!0}),r=x("copy","Copy link",async O=>{O.stopPropagation();try{await navigator.clipboard.writeText(t.textContent??""),o.textContent="Link copied."}catch{o.textContent="The browser did not allow it. Select the link and copy it."}}),i=x("","Add to plan",O=>{O.stopPropagation(),o.textContent=ws()}),a=x("","Lesson plan",()=>Ln.open()),l=[x("","Open a room",()=>vn()),x("","Join a room",so)],d=x("close","✕ Close",()=>rt(null)),m=c("p","hint","Esc, any other key or a click closes this."),h=c("dialog","code",d,e,t,c("div","wrap",r,i,a,...l),o,m);h.addEventListener("close",()=>rt(null));let p=c("div","dots",{ariaHidden:"true"}),u=c("div","where"),f=c("div","keys-message"),g=c("div","announcement",{role:"status"}),w=0,v=O=>{w=1,e.src=new URL(`./qr?text=${encodeURIComponent(O)}`,document.baseURI).href,t.textContent=O};e.addEventListener("error",()=>{t.textContent.length>gg?o.textContent="This link is too long for a QR code.":w++<bg?setTimeout(()=>h.open&&e.setAttribute("src",e.src),wg):o.textContent="The QR code could not be drawn. Close this and try again."});for(let O of[s,h])O.addEventListener("click",()=>rt(null));let L=(O,xe,dn)=>x("",xe,dn,{ariaLabel:O,title:O}),E=L("List of slides","☰",Rd),T=c("div","controls",E,L("Previous slide","‹",()=>Ei("PageUp")),L("Next slide","›",()=>Ei("PageDown")),L("Stop presenting","✕",ps)),$=c("div","slides",{popover:"auto",ariaLabel:"Slides of this page",role:"dialog"});document.body.append(c("div","playground-presenter",u,p,f,g,T,$,s,h,Ln.dialog));let A=0;return{rules:n,encode:v,hint:o,copy:r,toPlan:i,black:s,code:h,dots:p,announcement:g,where:u,list:E,menu:$,tell:O=>{clearTimeout(A),f.textContent=O,O&&(A=setTimeout(()=>f.textContent="",yd))},covered:()=>!s.hidden||h.open}}function Ai(){clearTimeout(bd),ae.toggleAttribute("data-moved",z!==null);for(let n of us)n.adoptedStyleSheets=n.adoptedStyleSheets.filter(e=>e!==$i);us=[],z!==null&&(bd=setTimeout(Hg,pg))}function Hg(){ae.removeAttribute("data-moved");let n=[...document.querySelectorAll(`${K} *`)].map(e=>e.shadowRoot).filter(e=>e!==null);us=[document,...n];for(let e of us)e.adoptedStyleSheets=[...e.adoptedStyleSheets,$i]}function Pg(n){let e=x("small-button","",()=>Li(),{title:"Present one part at a time, in large type (F)",ariaKeyShortcuts:"F"});e.innerHTML='<svg viewBox="0 0 20 14" aria-hidden="true"><path d="M1 1h18M2.5 1v8h15V1M10 9v2M7 13.4l3-2.4 3 2.4"/></svg><span class="words">Present</span>';let t=x("small-button share","",()=>rt("code"),{title:"A link to what this page shows (Q)",ariaKeyShortcuts:"Q"});t.innerHTML='<svg viewBox="0 0 14 14" aria-hidden="true"><path d="M4.4 5.9l5.2-2.6M4.4 8.1l5.2 2.6"/><circle cx="3" cy="7" r="1.9"/><circle cx="11" cy="2.7" r="1.9"/><circle cx="11" cy="11.3" r="1.9"/></svg><span class="words">Share</span>';let o=c("div","tools",Yr(),e,t);return n.append(o),{node:o,present:e,share:t,data:null,close:()=>o.remove()}}var fs,gs,wd,mg,pg,yd,xd,kd,ug,fg,gg,bg,wg,yg,hd,xg,kg,vg,Tg,ae,hs,En,xi,z,io,lo,ki,vd,ms,cs,md,pd,Ln,D,Eg,fd,gd,$g,ao,$i,bd,us,Ri=y(()=>{zr();es();Jr();Xr();nt();gn();Z();ce();de();ne();I();ro();S();fs="present",gs="1",wd="last",mg=60,pg=3e3,yd=6e3,xd="Esc: leave · L: slides and plan · A: add to plan · B: black · Q: QR code · ?: all keys",kd="playground lesson plan view",ug=".lesson-title h2",fg=".shown-pass",gg=1e3,bg=4,wg=2e3,yg=.1,hd=.9,xg=.8,kg=12.8,vg={f:"present",Escape:"leave",PageDown:"next",PageUp:"previous",ArrowRight:"next",ArrowLeft:"previous","Shift+PageDown":"nextPage","Shift+PageUp":"previousPage"," ":"run",s:"step",b:"black",".":"black",q:"code",l:"list",a:"add"},Tg=new Set(["PageDown","PageUp","ArrowRight","ArrowLeft"]),ae=document.documentElement,hs=new oe,En=null,xi=null,z=new URLSearchParams(location.search).get(fs),io=null,lo="",ki=1,vd=0,ms=z===null?"":J("sessionStorage",kd)??"",cs=Zo(location.hash),md=Me(),pd=0,Ln=new Kn({pages:De,present:n=>Li(n),share:n=>rt("code",n),here:()=>({title:Md(),address:Cd()})}),D=Ng(),Eg=C(He,Pg,(n,{data:e})=>{En=n,En.data=e,En.present.hidden=!e.slides.length,Hr(e.page),yn.set(ae,e.slides),Pr(e.max_chars),Ad(),bs()});fd=!1;document.addEventListener("fullscreenchange",()=>{!document.fullscreenElement&&fd&&ps(),fd=document.fullscreenElement!==null});addEventListener("resize",()=>{Si(),re.value&&re.set(ae,re.value)});document.addEventListener("visibilitychange",Sd);Vn(fs,()=>z);Jn.watch(n=>n&&z!==null&&n.name!==z&&qt(n.name));document.addEventListener("keydown",n=>{let e=n.key==="F5"&&!n.ctrlKey&&!n.metaKey&&!n.altKey,t=n.composedPath().some(r=>r instanceof Element&&r.matches(".code button"))&&["Enter"," "].includes(n.key),o=D.covered()&&!t&&!["Shift","Control","Alt","Meta","Tab"].includes(n.key),s={PageDown:1,PageUp:-1}[$e(n)];if(o&&!n.ctrlKey&&!n.metaKey&&!n.altKey)rt(null);else if(s&&z!==null&&ys()>=0&&te(n))$d(s);else if(!e||z===null)return;n.preventDefault(),n.stopImmediatePropagation()},{capture:!0});gd={present:()=>z===null?Li():ps(),leave:()=>z!==null&&ps(),next:()=>z!==null&&ud(1),previous:()=>z!==null&&ud(-1),nextPage:()=>z!==null&&Ti(1),previousPage:()=>z!==null&&Ti(-1),run:()=>z!==null&&(Ag()||hs.add("run","",1)),step:()=>z!==null&&hs.add("step","",1),black:()=>z!==null&&rt("black"),code:()=>rt("code"),list:()=>z!==null&&Rd(),add:()=>{ws()}},$g=new Set(["present","leave","run","black","code","list","add"]);addEventListener("keydown",n=>{let e=jt()?.keys;if(!e||!te(n))return;let t=$e(n),o=vg[t];!gd[o]||!(e.includes(t)||Tg.has(t)&&Rg(o))||t===" "&&n.composedPath().some(s=>s instanceof Element&&s.matches("button, a, summary, [role=button]"))||(n.repeat&&$g.has(o)||gd[o]()!==!1)&&n.preventDefault()});addEventListener("hashchange",()=>{cs=Zo(location.hash),Ad()});document.addEventListener("click",({target:n})=>{n instanceof Element&&(n.closest(".add-to-plan")&&ws(),n.closest(".open-plan")&&Ln.open())});ao=null;document.addEventListener("touchstart",n=>{let[e,t]=n.touches;ao=z!==null&&!t&&!D.covered()&&!n.composedPath().some(Og)?{x:e.clientX,y:e.clientY}:null},{passive:!0});document.addEventListener("touchend",n=>{if(!ao)return;let{clientX:e,clientY:t}=n.changedTouches[0],o=e-ao.x;Math.abs(o)>mg&&Math.abs(o)>2*Math.abs(t-ao.y)&&Ei(o<0?"PageDown":"PageUp"),ao=null},{passive:!0});$i=new CSSStyleSheet;$i.replaceSync("* { cursor: none !important }");bd=0,us=[];document.addEventListener("pointermove",Ai,{passive:!0});z!==null&&Td()});var Hd,Nd=y(()=>{Hd=`/* The room: its bar at the foot of the page, the join card, and the window that asks for a code. */

.playground-room { font: 1rem/1.4 "Source Sans", system-ui, sans-serif; }
.playground-room [hidden] { display: none !important; }
.playground-room p { margin: 0; overflow-wrap: anywhere; }
.playground-room .wrap { display: flex; flex-wrap: wrap; gap: .5rem; }
.playground-room :is(button, input) { font: inherit; color: inherit; min-height: 2rem; padding: .2rem .8rem; border: 1px solid #767676;
  border-radius: .5rem; background: light-dark(#f4f5f9, #262b3a); }
.playground-room button { cursor: pointer; }
.playground-room button:disabled { opacity: .6; cursor: default; }
.playground-room .main { background: #4f46b8; color: #fff; border-color: #4f46b8; }
.playground-room [aria-pressed=true] { background: light-dark(#4f46b8, #b3abff); color: light-dark(#fff, #14101f); border-color: transparent; }
.playground-room :is(button, input):focus-visible { outline: 2px solid light-dark(#4f46b8, #b3abff); outline-offset: 1px; }

.playground-room .bar { position: fixed; z-index: 999989; inset: auto 0 calc(var(--bar, 0px) + env(safe-area-inset-bottom));
  display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .9rem; box-sizing: border-box; padding: .35rem clamp(.6rem, 2vw, 1.5rem); color: light-dark(#1b1f2e, #e8eaf2);
  background: light-dark(#eceafa, #221f3a); border-top: 1px solid light-dark(#4f46b8, #8d84e8); }
/* A question has the width of the bar; without one its button stands in the line. */
.bar > .room-question:has(> .question:not([hidden])) { flex: 1 0 100%; }
.playground-room .line { flex: 1 1 18rem; display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .9rem; }
.playground-room .bar .code { font-weight: 700; letter-spacing: .06em; background: none; border-color: transparent; padding-inline: .2rem; font-size: 1.15rem; }
.playground-room .who { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.playground-room .where { margin-right: auto; }
.playground-room .where:focus { outline: none; }
.playground-room .bar :is(.modes, .paces) { display: flex; gap: .3rem; }
.playground-room .pace { margin-right: auto; color: light-dark(#8a3b00, #ffb27a); font-weight: 600; }
.playground-room .bar[data-mode=pause] .where { font-size: 1.3rem; font-weight: 650; }

.playground-room dialog { box-sizing: border-box; max-height: 94dvh; padding: 1rem 1.2rem; border: 1px solid #767676; border-radius: .8rem;
  background: light-dark(#fff, #191d28); color: light-dark(#1b1f2e, #e8eaf2); }
.playground-room dialog::backdrop { background: rgb(0 0 0 / .4); }
.playground-room header { display: flex; justify-content: space-between; align-items: center; }
.playground-room h2 { margin: 0; padding: 0; font-size: 1.3rem; }
.playground-room .card { width: min(60rem, 96vw); }
.playground-room .card[open] { display: flex; flex-direction: column; gap: .6rem; }
.playground-room .sides { display: flex; gap: 1.2rem; align-items: center; justify-content: space-between; }
.playground-room .words { display: grid; gap: .5rem; min-width: 0; }
.playground-room .card .code { font: 750 clamp(3rem, 11vw, 8rem)/1 var(--st-code-font, monospace); white-space: nowrap; letter-spacing: -.02em; }
.playground-room .link { font: 600 1.2rem/1.3 var(--st-code-font, monospace); word-break: break-all; }
.playground-room code { white-space: nowrap; font-size: .9em; }
.playground-room .qr { flex: none; width: min(17rem, 34vw); aspect-ratio: 1; image-rendering: pixelated; background: #fff; border-radius: .4rem; }
.playground-room .card .seats { font-size: 1.2rem; }
.playground-room .card .modes { display: flex; gap: .4rem; }
.playground-room .care { padding: .4rem .7rem; border-left: 3px solid #c07a0c; background: color-mix(in srgb, #c07a0c 12%, transparent); }
.playground-room .small { font-size: .9rem; }
.playground-room .steps { margin: 0; padding-left: 1.6rem; }
.playground-room .steps:empty { display: none; }
.playground-room .steps .good { color: light-dark(#0d6b53, #6fd6b4); }
.playground-room .steps .wrong { color: light-dark(#b3261e, #ff9d92); }
.playground-room .note:empty { display: none; }
.playground-room .sure { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.playground-room .door form { display: flex; gap: .6rem; align-items: end; margin: .6rem 0; }
.playground-room .door label { display: grid; gap: .2rem; }
.playground-room .door input { width: 9rem; font-size: 1.3rem; text-transform: uppercase; letter-spacing: .08em; background: light-dark(#fff, #0f1219); }
@media (max-width: 640px) {
  .playground-room .sides { flex-direction: column; align-items: stretch; }
  .playground-room .qr { width: min(17rem, 70vw); align-self: center; }
  .playground-room .card .code { font-size: 17vw; }
  .playground-room .link { font-size: 1rem; }
  .playground-room .bar { padding-block: .2rem; font-size: .9rem; }
  .playground-room .bar button { padding-inline: .5rem; }
}

/* On a slide: a corner with code and seats. */
[data-present] .playground-room .bar { inset: auto 0 0 auto; background: none; border: 0; padding: 0 .8rem 0 0; font-size: var(--least, .8rem); color: light-dark(#444, #bbb); }
[data-present] .playground-room .line > :not(.code, .seats, .name, .where, .modes, .join) { display: none; }
[data-present] .playground-room .line > :is(.modes, .join) { order: -1; } /* the code stays in the corner */
/* They show, as the presenter's buttons do, when the pointer moves. */
[data-present]:not([data-asks], [data-moved]) .playground-room .line > :is(.modes, .join) { visibility: hidden; }
[data-present]:not([data-asks]) .playground-room .bar { pointer-events: none; }
[data-present] .playground-room .bar button { pointer-events: auto; }
[data-present] .playground-room .bar .code { min-height: 0; padding-block: 0; }
[data-present] .playground-room .line { flex: none; }
[data-present]:not([data-asks]) .room-question .question { display: none; }
[data-present]:not([data-asks], [data-moved]) .room-question .buttons { visibility: hidden; }
[data-present][data-moved]:not([data-asks]) .playground-room .bar { bottom: 2.6rem; } /* above the presenter's buttons */
/* A question takes the end of the slide, see page.css. */
[data-present][data-asks] .playground-room .bar { inset: auto 0 0; padding: .4rem 1.2rem; background: light-dark(#eceafa, #221f3a);
  border-top: 1px solid light-dark(#4f46b8, #8d84e8); }
[data-present][data-asks] .playground-room .line { justify-content: end; margin-right: 11rem; } /* the presenter's buttons are there */
@media print { .playground-room { display: none; } }
`});var zd,Pd=y(()=>{zd=`/* The room's question, and the host's window for questions. */
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
  background: light-dark(#eceafa, #221f3a); /* of the bar, see room.css */
  display: flex;
  flex-wrap: wrap;
  gap: 0 1rem;
  position: sticky; /* the countdown is always seen */
  top: 0;
}
.room-question .hides > :not(header) {
  display: none;
}
.room-question .fold {
  min-height: 1.75rem;
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
.room-question .hint:has(+ .typed) {
  flex-basis: auto;
}
.room-question :is(.typed, .hint) {
  align-self: center;
}
.room-question summary {
  align-content: center;
  cursor: pointer;
  min-height: 2.25rem;
}
.room-question .read {
  flex-basis: 100%;
}
.room-question .read:empty {
  display: none;
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
  .room-question .bars {
    grid-template-columns: minmax(4rem, max-content) minmax(3rem, 1fr) max-content;
  }
  .room-question .tag {
    grid-column: 1 / -1;
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
`});var Dd={};k(Dd,{axesOf:()=>Lt,bars:()=>Ni,inWords:()=>Sn,nameOfTruth:()=>mo,numberOf:()=>ho,secondsLeft:()=>Oi,truthInWords:()=>xs,written:()=>it});function Oi(n,e,t){return n===void 0?null:Math.max(0,Math.ceil(n-t/1e3-e))}function ho(n){let e=n.trim().replaceAll("−","-"),t=e.replaceAll(",",/^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(e)?"":".");return/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(t)?Number(t):null}function it(n,e=12){let t=Math.abs(n);return n!==0&&(t<1e-4||t>=1e9)?n.toExponential(2).replace("-","−"):Number(n.toPrecision(e)).toLocaleString("en-US",{maximumFractionDigits:12}).replace("-","−")}function Lt({shape:n=[],axes:e=""}){return n.map((t,o)=>{let s=e[o]==="V"?0:1;return{name:Id[Id.length-n.length+o],first:s,last:s+t-1}})}function Sn(n,e){return e==null?"pass":n.kind==="choice"?n.choices?.[Number(e)]??"":Array.isArray(e)?n.kind==="point"?`loss ${it(e[1])} at step ${it(e[0])}`:Lt(n).map(({name:t,first:o},s)=>`${t.toLowerCase()} ${e[s]+o}`).join(", "):it(Number(e))}function mo({kind:n}){return n==="choice"||n==="cell"?"Right answer":"True value"}function xs(n){let{kind:e,truth:t=""}=n;return e==="cell"&&t?Sn(n,t.split(" ").map(Number)):t}function Ni(n,e){let{result:t,truth:o=""}=n,s=(l,d)=>l!=null&&String(l)===String(d),r=t?n.kind==="choice"?a(n,t):n.kind==="number"?Dg(t,e,ho(o.replaceAll(",",""))):(t.positions??[]).map(([l,d])=>({label:Sn(n,l),count:d,own:n.kind==="cell"&&s(e,l),right:n.kind==="cell"&&o===l.join(" ")})):[],i=Math.max(1,...r.map(({count:l})=>l));return r.map(l=>({...l,share:l.count/i}));function a({choices:l=[]},{choices:d=[]}){return l.map((m,h)=>({label:m,count:d[h]??0,own:s(e,h),right:m===o}))}}function Dg({values:n=[],numbers:e},t,o){if(!e){let m=o!==null&&n.length&&!n.some(([h])=>h===o)?[[o,0]]:[];return[...n,...m].toSorted(([h],[p])=>h-p).map(([h,p])=>({label:it(h),count:p,own:h===t,right:h===o}))}let[s,r,i]=e,a=(r-s)/i.length,l=m=>typeof m!="number"||m<s||m>r?-1:Math.min(i.length-1,Math.trunc(i.length*((m-s)/(r-s)))),d=Math.min(12,Math.max(3,1+Math.ceil(Math.log10(Math.max(-s,r,a)/a))));return i.map((m,h)=>({label:`${it(s+h*a,d)} to ${it(s+(h+1)*a,d)}`,count:m,own:l(t)===h,right:l(o)===h}))}var Id,ks=y(()=>{Id=["Head","Row","Column"]});var Gd={};k(Gd,{AskPanel:()=>po,askedAs:()=>Hi});function Hi(n,e){try{let t=JSON.parse(J("sessionStorage",_d)??"{}");return t.code===n&&t.n===e?t.fields:null}catch{return null}}function Ud(){return Pe.value?.cell?Pe.value:null}function jd({cell:n,shape:e,axes:t}){return Lt({shape:e,axes:t}).map(({name:o,first:s},r)=>`${o.toLowerCase()} ${(n?.[r]??0)+s}`).join(", ")}function jg(n){let e=10**Math.floor(Math.log10(Math.max(50,2*n)));return Math.ceil(Math.max(50,2*n)/e)*e}function qd(n,e,t,o,s){let r=t.map(([a])=>c("input","",{type:"radio",name:e,value:a,checked:a===o}));for(let a of r)a.addEventListener("change",()=>s(a.value));return{node:c("fieldset","chips",c("legend","",n),...r.map((a,l)=>c("label","",a,c("span","",t[l][1])))),value:()=>r.find(({checked:a})=>a)?.value??o}}var _d,Bd,Wd,Bg,Wg,Ug,vs,po,Pi=y(()=>{st();de();ks();S();_d="playground room asked",Bd=200,Wd=40,Bg=5,Wg=[["choice","Choices"],["number","A number"],["cell","A cell"],["point","A point of the loss"]],Ug=[["0","No limit"],["30","30 s"],["60","60 s"],["90","90 s"]],vs={choice:"Which …?",number:"How many …?",cell:"Where …?",point:"Where …?"};po=class{kind="choice";lessonList=c("ol","lesson-questions");lesson=c("section","",c("h3","","Questions of this lesson"),this.lessonList);seconds=qd("Time to answer","room-seconds",Ug,"60",()=>{});kinds=qd("Kind of answer","room-kind",Wg,this.kind,e=>this.choose(e));text=c("textarea","",{rows:2,maxLength:Bd});choices=Array.from({length:Bg},(e,t)=>{let o=c("input","",{type:"text",maxLength:Wd,ariaLabel:`Choice ${t+1}`}),s=c("input","",{type:"radio",name:"room-right",ariaLabel:`Choice ${t+1} is right`});return{input:o,right:s,row:c("div","row",o,c("label","",s," right"))}});none=c("input","",{type:"radio",name:"room-right",checked:!0});ofChoices=c("fieldset","",c("legend","","Choices, 2 to 5"),...this.choices.map(({row:e})=>e),c("label","row",this.none," none is marked as right"));truth=c("input","",{type:"text",maxLength:Wd});ofNumber=c("div","",c("label","",c("span","","True value, if it is known"),this.truth));step=c("input","",{type:"number",min:"0",step:"1",oninput:()=>this.choose("point")});ofPoint=c("label","",c("span","","At step"),this.step);source=c("p","source");why=c("textarea","",{rows:2,maxLength:Bd});problem=c("p","problem",{role:"alert"});send=c("button","main","Ask the room",{type:"submit"});form=c("form","",c("h3","","Your own question"),this.kinds.node,this.source,c("label","",c("span","","Question"),this.text),this.ofChoices,this.ofPoint,this.ofNumber,c("label","",c("span","","Why? Shown with the answer; may be empty"),this.why),this.problem,this.send,{noValidate:!0});dialog;constructor(){let e=x("close","✕",()=>this.dialog.close(),{ariaLabel:"Close",title:"Close (Esc)"});this.dialog=c("dialog","room-ask",c("header","",c("h2","","Ask the room"),e),this.seconds.node,this.lesson,this.form,{ariaLabel:"Ask the room"}),this.dialog.addEventListener("keydown",t=>t.stopPropagation()),this.form.addEventListener("submit",t=>{t.preventDefault(),this.ask(this.own())})}open(e=""){this.listLesson(),this.choose(this.kind),b(this.problem,e),!this.dialog.open&&(this.dialog.showModal(),this.seconds.node.querySelector("input:checked")?.focus())}askLesson({dataset:{lesson:e,block:t,seed:o}}){return this.ask({of:{lesson:e,block:Number(t),seed:Number(o)},seconds:Number(this.seconds.value())})}async ask(e){this.send.disabled=!0;let t=await q("ask",e);if(this.send.disabled=!1,!t.ok)return this.open(t.why);G("sessionStorage",_d,JSON.stringify({code:H.value?.code,n:t.fields.question,fields:e})),this.dialog.close()}listLesson(){let e=[...document.querySelectorAll("[data-lesson][data-block]")];this.lesson.hidden=!e.length,me(this.lessonList,e.map(t=>c("li","",x("",t.dataset.title??"",()=>{this.askLesson(t)}))))}choose(e){this.kind=e,this.ofChoices.hidden=e!=="choice",this.ofPoint.hidden=e!=="point";let t=e==="number"?Ud():null;this.ofNumber.hidden=e!=="number"||t!==null;let o=yt.value;e==="point"&&o&&!this.step.value&&!this.step.matches(":focus")&&(this.step.value=String(jg(o.step)));let[s,r,i]=this.about(e,t);b(this.source,s),this.source.hidden=!s,this.text.placeholder=r,this.send.disabled=!i}about(e,t){if(e==="choice")return["",vs.choice,!0];if(e==="number")return t?[`The true value is that of the cell that you keep: ${t.title}, ${jd(t)}.`,`Which value has ${t.title} at ${jd(t)}?`,!0]:["To ask for a value on the page, click a cell of an operation to keep it.",vs.number,!0];if(e==="cell"){let s=Pe.value&&Pe.value.shape.length>=2?Pe.value:null;return s?[`A cell of the output: ${s.title}. The right cell is the one with the largest value.`,`Where is the largest value of ${s.title}?`,!0]:["Open an operation first, such as the attention weights in Step through.",vs.cell,!1]}let o=yt.value;return o?[`The run ${o.name} is at step ${o.step.toLocaleString("en-US")}. Reveal the question when it is at the step below.`,`Where will the loss be at step ${Number(this.step.value).toLocaleString("en-US")}?`,!0]:["Open a run on the Train page first.",vs.point,!1]}own(){let{kind:e}=this,t=yt.value,o=e==="number"?Ud():e==="cell"?Pe.value:null,r=this.text.value.trim()||(e==="choice"||e==="number"&&!o?"":this.text.placeholder),i={kind:e,text:r,why:this.why.value.trim(),seconds:Number(this.seconds.value())};if(e==="choice"){let a=this.choices.filter(({input:l})=>l.value.trim());i.choices=a.map(({input:l})=>l.value.trim()),i.truth=a.find(({right:l})=>l.checked)?.input.value.trim()??""}else e==="number"&&!o?i.truth=this.truth.value.trim():e==="number"?i.of={walk:o?.walk,operation:o?.operation,at:String(o?.cell)}:e==="cell"?i.of={walk:o?.walk,operation:o?.operation}:i.of={run:t?.run,step:Math.round(Number(this.step.value)),measure:"loss"};return i}}});var Fd={};k(Fd,{questionArea:()=>Di});function Di(){return fe(document,[zd]),new Ii().node}function Kg(n,e){return n===null?"This isn't a number. Type one such as 1.5.":!e||Number.isInteger(n)&&n>=e.first&&n<=e.last?"":`${e.name} is a whole number from ${e.first} to ${e.last}.`}function zi({seat:n},{n:e}){return n?.question===e&&n.answered?n.answer??null:void 0}function Ts(n,e,t=""){let o=c("input","",{type:"text",inputMode:e,value:t,maxLength:20,autocomplete:"off",required:!0});return{input:o,label:c("label","",c("span","",n),o)}}function Vg({label:n,count:e,share:t,own:o,right:s},r){let i=c("i","fill",{ariaHidden:"true"});i.style.setProperty("--share",String(t));let a=[s&&r,o&&"your answer"].filter(Boolean).join(", ");return c("li",[o&&"own",s&&"right"].filter(Boolean).join(" "),c("span","what",n),i,c("b","votes",String(e)),c("span","tag",a))}var qg,_g,Gg,Fg,Ii,Bi=y(()=>{Pd();ks();Pi();st();de();Z();ne();S();qg=250,_g=10,Gg=250,Fg=20;Ii=class{number=c("b");count=c("span","count");fold=x("fold","Hide",()=>this.hide(!this.hides));hides=!1;timer=c("span","timer",{role:"timer"});text=c("p","text");controls=c("div","controls");own=c("p","own",{role:"status"});problem=c("p","problem",{role:"alert"});result=c("div","result");host=c("div","buttons");panel=new po;question=c("section","question",{ariaLabel:"Question to the room",tabIndex:-1});node=c("div","room-question",this.question,this.host);news=c("p","unseen",{role:"status"});given=document.createElement("style");drawn="";announced="";marked="";ticking=0;bringing=0;refresh=()=>{};constructor(){this.node.append(this.news),this.question.append(c("header","",this.number,this.timer,this.count,this.fold),this.text,this.controls,this.own,this.result,this.problem),document.body.append(this.panel.dialog),document.head.append(this.given),H.watch(e=>this.draw(e)),document.addEventListener("click",({target:e})=>{let t=e instanceof Element&&e.closest(".ask-room")?.closest("[data-lesson]");t&&H.value?.isHost&&this.panel.askLesson(t)})}draw(e){let t=e?.state&&e.state.mode!=="ended"&&!e.gone?e.state.question:null,o=!!(e?.isHost&&!e.gone&&e.state?.mode!=="ended");if(e?document.documentElement.dataset.room=o?"host":"seat":delete document.documentElement.dataset.room,this.question.hidden=!t,this.host.hidden=!o,this.node.hidden=!t&&!o,document.documentElement.toggleAttribute("data-asks",!!t&&!this.hides),!e||!t){this.drawn=this.marked="",ge.set(this,null),this.given.textContent="",this.tick(),e&&o&&this.drawHost(e,null);return}let{counts:s}=e.state;b(this.number,`Question ${t.n}`),b(this.count,`${s.answers} of ${s.seats} answered`),b(this.text,t.text),this.question.dataset.state=t.state,this.question.dataset.kind=t.kind;let r=`${e.code} ${t.n} ${t.state} ${o}`;r!==this.drawn&&(this.drawn=r,b(this.problem,""),this.fold.hidden=o||t.state!=="revealed",this.hide(!1),this.drawControls(t,o),this.tell(t,`${e.code} ${t.n} ${t.state}`),t.state==="open"&&this.bring(t)),this.drawOwn(e,t,o),this.mark(e,t),o&&this.drawHost(e,t),this.tick()}hide(e){this.hides=e,b(this.fold,e?"Show":"Hide"),this.fold.ariaExpanded=String(!e),this.question.classList.toggle("hides",e),document.documentElement.toggleAttribute("data-asks",!e)}bring({n:e,lesson:t,block:o=0},s=Fg){clearTimeout(this.bringing),t&&(this.bringing=window.setTimeout(()=>{let r=H.value?.state?.question;if(r?.n!==e||r.state!=="open")return;let i=document.querySelector(`[data-lesson="${CSS.escape(t)}"][data-block="${o}"]`);i?.offsetHeight?i.scrollIntoView({block:"start",behavior:Y()?"auto":"smooth"}):s&&this.bring(r,s-1)},Gg))}tick(){let e=H.value,t=e?.state?.question,o=t?.state==="open"?Oi(t.ends,e?.late??0,Date.now()):null;b(this.timer,o===null?"":`${o} s left`),this.timer.classList.toggle("hurry",o!==null&&o<=_g);for(let s of this.controls.querySelectorAll("fieldset"))s.disabled=o===0;clearInterval(this.ticking),this.ticking=o===null?0:window.setInterval(()=>this.tick(),qg)}drawControls(e,t){this.refresh=()=>{};let o=this.controls.contains(document.activeElement),s=e.state!=="open"||t?[]:this.makeControls(e);this.controls.replaceChildren(...s.length?[c("fieldset","",...s,{ariaLabel:"Your answer"})]:[]),o&&!s.length&&this.question.focus();let{lesson:r,block:i=0}=e,a=!t&&r&&e.state!=="revealed";this.given.textContent=a?`:has([data-lesson="${CSS.escape(r)}"][data-block="${i}"]) :is(${_(`given-${i+1}`)}, ${_(`answer-${i+1}`)}) { display: none; }`:""}makeControls(e){let t=x("pass","Pass",()=>this.answer(e,null));if(e.kind==="choice")return[this.choices(e),t];let o=e.kind==="number"?[Ts("Your answer, a number","decimal")]:e.kind==="point"?[Ts("Step","numeric",String(e.step??"")),Ts("Loss","decimal")]:Lt(e).map(({name:m,first:h,last:p})=>Ts(`${m} (${h} to ${p})`,"numeric")),s=x("minus","±",()=>{let[{input:m}]=o;m.value=/^[-−]/.test(m.value)?m.value.slice(1):`−${m.value}`,m.focus()},{ariaLabel:"Change the sign"}),r=e.kind==="cell",i=c("p","read",{role:"status"}),a=c("form","fields",...o.map(({label:m})=>m),e.kind==="number"&&s,c("button","main","Send",{type:"submit"}),!r&&t,i);a.addEventListener("input",({target:m})=>{let h=m instanceof HTMLInputElement?m.value.trim():"",p=h.includes(",")?ho(h):null;b(i,p===null?"":`Read as ${it(p)}`)}),a.addEventListener("submit",m=>{m.preventDefault();let h=Lt(e),p=[];for(let[u,{input:f}]of o.entries()){let g=ho(f.value),w=Kg(g,h[u]);if(b(this.problem,w),w)return f.focus();p.push(g-(h[u]?.first??0))}this.answer(e,e.kind==="number"?p[0]:p)}),this.refresh=m=>{if(m==null)return;let h=Lt(e).map(p=>p.first);[m].flat().forEach((p,u)=>o[u].input.value=String(p+(h[u]??0)))};let l={cell:"Click a cell of the output on the page.",point:"Click a point of the chart of the loss, or type it.",number:"",choice:""}[e.kind],d=l?[c("p","hint",l)]:[];return r?[...d,c("details","typed",c("summary","","Type it instead"),a),t]:[...d,a]}choices({n:e,choices:t=[],...o}){let s=t.map((r,i)=>{let a=c("input","",{type:"radio",name:`room-choice-${e}`,value:String(i)});return a.addEventListener("change",()=>this.answer({n:e,choices:t,...o},i)),{input:a,label:c("label","choice",a,c("span","",r))}});return this.refresh=r=>s.forEach(({input:i},a)=>i.checked=r===a),c("div","choices",...s.map(({label:r})=>r))}async answer(e,t){b(this.problem,"");let o=await q("answer",{question:e.n,answer:t}),s=H.value;o.ok?s?.seat&&be({seat:{...s.seat,question:e.n,answered:!0,answer:t}}):(b(this.problem,o.why),e.kind==="choice"&&this.refresh(s?zi(s,e):void 0))}drawOwn(e,t,o){let s=zi(e,t),r=`${this.drawn} ${JSON.stringify(s)}`,i=this.own.dataset.key!==r;if(this.own.dataset.key=r,!i)return;s!==void 0&&this.refresh(s);let a=s===void 0?"":s===null?"You passed":`Your answer: ${Sn(t,s)}`;b(this.own,o?t.state==="closed"?"The question is closed.":"":t.state==="closed"?[a,"The question is closed. The answer appears when the host reveals it."].filter(Boolean).join(". "):t.state==="revealed"?"":a&&`${a}. You can change it until the question closes.`),this.result.replaceChildren(...t.state==="revealed"?this.makeResult(t,s):[])}mark(e,t){let{kind:o,operation:s,shape:r,step:i}=t,a=zi(e,t),l=JSON.stringify([this.drawn,a,t.result]);if(l===this.marked)return;if(this.marked=l,o!=="point"&&!s)return void ge.set(this,null);let d=[],m=t.state==="revealed";if(m&&o!=="number"){for(let[f,g]of t.result?.positions??[])d.push({at:f,text:String(g),name:"given"});o==="cell"&&t.truth&&d.push({at:t.truth.split(" ").map(Number),text:"",name:"true"})}Array.isArray(a)&&d.push({at:a,text:"",name:"own"});let p=t.state==="open"&&!e.isHost&&o!=="number"?f=>{this.answer(t,f)}:null,u=o==="point"?{kind:o,panel:"loss"}:{kind:"output"};ge.set(this,{...u,operation:s,shape:r,step:i,hides:!m&&o!=="point",pick:p,marks:d})}makeResult(e,t){let o=Ni(e,t),s=e.result?.passed??0,r={cell:"The cells with most answers, also marked on the page",point:"The points with most answers, also marked on the chart",choice:"Answers",number:"Answers"}[e.kind],i=mo(e).toLowerCase(),a=c("ul",`bars ${e.kind==="number"?"upright":""}`,{ariaLabel:r},...o.map(h=>Vg(h,i))),l=o.length?[a]:[c("p","","No answers.")],d=xs(e),m=c("div","truth",...d?[c("p","true",`${mo(e)}: `,c("b","",d))]:[],...t!==void 0?[c("p","",t===null?"You passed.":`Your answer: ${Sn(e,t)}`)]:[],...e.why?[c("p","why",c("b","","Why? "),e.why)]:[],...s?[c("p","soft",`${s} passed`)]:[]);return[c("div","counted",...l),m]}drawHost(e,t){let o=`${e.code} ${t?.n} ${t?.state}`;if(this.host.dataset.key===o)return;this.host.dataset.key=o;let s=this.host.contains(document.activeElement),r=(a,l,d)=>x(a==="reveal"?"main":"",l,()=>this.act(a),{title:d}),i=t&&t.state!=="open"&&Hi(e.code,t.n);this.host.replaceChildren(...[t?.state==="open"&&r("close","Close","Take no more answers"),t&&t.state!=="revealed"&&r("reveal","Reveal","Show the counts and the answer to all"),t?.state==="revealed"&&r("done","Done","Take the result from all pages"),i&&x("","Ask again",()=>this.panel.ask(i)),x(t?"":"main","Ask …",()=>this.panel.open(),{ariaHasPopup:"dialog"})].filter(a=>a instanceof Node)),s&&this.host.querySelector("button")?.focus()}async act(e){let t=await q(e);b(this.problem,t.ok?"":t.why)}tell(e,t){let o=!this.announced;if(this.announced===t||(this.announced=t,o&&e.state!=="open"))return;let s=xs(e),r={open:`New question: ${e.text}`,closed:"The question is closed.",revealed:s?`The answer is revealed. ${mo(e)}: ${s}`:"The answers are revealed."};b(this.news,r[e.state])}}});var Vd,Kd=y(()=>{Vd=`/* What people try in a room: buttons of the bar, the host's window of tries, and the board. */

.playground-room .tools { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem; }
.playground-room .bar .own-run { background: none; border-color: transparent; text-decoration: underline; text-underline-offset: .2em; padding-inline: .2rem; }

.playground-room :is(.tried, .boarded) { width: min(76rem, 96vw); }
.playground-room :is(.tried, .boarded)[open] { display: flex; flex-direction: column; gap: .6rem; }
.playground-room .above { align-items: center; justify-content: space-between; }
.playground-room .tries { list-style: none; margin: 0; padding: 2px; display: grid; gap: .6rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13.5rem), 1fr));
  overflow-y: auto; min-height: 8rem; }
.playground-room .tries li { content-visibility: auto; contain-intrinsic-size: 13.5rem 9.5rem; }
.playground-room .try { box-sizing: border-box; width: 100%; height: 9.5rem; display: flex; flex-direction: column; gap: .15rem; padding: .4rem .6rem; text-align: start; }
.playground-room .try .head { display: flex; justify-content: space-between; gap: .4rem; }
.playground-room .try .who { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.playground-room .try .exact { flex: none; font-variant-numeric: tabular-nums; }
.playground-room .try svg { flex: 1; min-height: 0; width: 100%; border-bottom: 1px solid #767676; }
.playground-room .try path { stroke: light-dark(#4f46b8, #b3abff); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.playground-room .try .state { font-size: .9rem; font-variant-numeric: tabular-nums; }
.playground-room .try .differs { font-size: .85rem; line-height: 1.25; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere; }
.playground-room [data-status=running] .try { border-color: light-dark(#4f46b8, #b3abff); box-shadow: inset 0 0 0 1px light-dark(#4f46b8, #b3abff); }
.playground-room .try:disabled { opacity: 1; border-style: dashed; }

.playground-room .meter { margin: 0; display: grid; gap: .2rem; max-width: 40rem; }
.playground-room .meter[hidden] { display: none; }
.playground-room .meter svg { width: 100%; height: 3.5rem; border-bottom: 1px solid #767676; border-left: 1px solid #767676; }
.playground-room .meter path { stroke-width: 2; vector-effect: non-scaling-stroke; }
.playground-room .meter path.fast { stroke: light-dark(#b0560a, #ffb27a); }
.playground-room .meter path.hard { stroke: light-dark(#4f46b8, #b3abff); stroke-dasharray: 5 3; }
.playground-room .meter span { align-self: center; }
.playground-room .meter span:is(.fast, .hard)::before { content: ""; display: inline-block; width: 1.6em; margin-right: .4em; vertical-align: middle; border-top: 2px solid light-dark(#b0560a, #ffb27a); }
.playground-room .meter span.hard::before { border-top: 2px dashed light-dark(#4f46b8, #b3abff); }

.playground-room .shows-board { align-items: center; }
.playground-room .shows-board input { min-height: 0; width: 1.1rem; height: 1.1rem; margin: 0; accent-color: #4f46b8; }
.playground-room .rows { overflow: auto; min-height: 4.5rem; }
.playground-room table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
.playground-room :is(th, td) { padding: .3rem .6rem; text-align: end; border-bottom: 1px solid light-dark(#d5d8e4, #3a4054); white-space: nowrap; }
.playground-room :is(th, td):nth-child(2) { text-align: start; white-space: normal; min-width: 12rem; }
.playground-room thead th { position: sticky; top: 0; background: light-dark(#fff, #191d28); }
.playground-room .best td { font-weight: 650; background: light-dark(#eceafa, #2a2650); }
.playground-room .unseen { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; width: 1px; }
@media (max-width: 640px) {
  .playground-room :is(.tried, .boarded) { padding: .7rem; }
  .playground-room :is(th, td) { padding: .25rem .4rem; }
  .playground-room :is(th, td):nth-child(2) { min-width: 9rem; }
}
`});var ih={};k(ih,{hostTools:()=>Es,seatTools:()=>ji});function nb(n){return new URLSearchParams(n.state?.context.at.split("?")[1]??"").get("run")}function Zd(n){Gt=n,Wi.hidden=!Gt.status,Gt.status&&b(Wi,`Your run: ${sh(Gt)}`)}function oh(n){ot(!1),wt(new URL(n,document.baseURI))}async function ob(){let n=await q("fork");if(!n.ok)return we(n.why);oh(`./${n.fields.at}`),we("These are the settings of the run on show. Change what you like, then press Train this model.")}function sh({status:n,position:e,waiting:t,step:o,steps:s}){let r=`step ${U(o)} of ${U(s)}`;return n==="queued"?e?`position ${e} of ${t}`:"starting":{starting:"starting",running:r,paused:`paused at ${r}`,solved:`solved at step ${U(o)}`,finished:`finished, ${U(o)} steps`,stopped:`stopped at ${r}`,failed:`failed at ${r}`}[n]}function rh(n,e){let t=!1,o=0,s=async()=>{clearTimeout(o),!(t||!n.open)&&(t=!0,document.hidden||await e(),t=!1,o=window.setTimeout(s,Yg))};return s}function sb(){let n="loss",e=c("p","",{role:"status"}),t=c("p","small"),o=c("p","care",{hidden:!0}),s=c("ul","tries"),r=c("p","small"),i=ab(),a=new Map,l=Xg.map(([u,f])=>x("",f,()=>m(u),{value:u})),d=Tn("tried","Tries",o,c("div","wrap above",e,c("div","wrap",...l,{role:"group",ariaLabel:"Curve"}),x("","Board",()=>{d.close(),Ui.open()})),i.node,s,r,t),m=u=>{n=u;for(let f of l)f.ariaPressed=String(f.value===n);h()},h=rh(d,async()=>{let u=n,f=await q("tiles",{measure:n});if(o.hidden=f.ok,!f.ok)return b(o,f.why);u===n&&p(f.fields)}),p=({tiles:u,reference:f,limit:g,paces:w,minutes:v})=>{let{seats:L=0,fast:E=0,hard:T=0}=H.value?.state?.counts??{},$=u.filter(({status:O})=>O==="running"||O==="starting").length,A=u.filter(({status:O})=>O==="queued").length;b(e,u.length?`${u.length} of ${L} in the room have started a run. ${$} training, ${A} waiting.`:"Nobody has started a run yet. Show a run on the Train page: seats then get the button Try it.");let P=n==="loss"&&Math.max(...u.flatMap(({curve:O})=>O.map(([,xe])=>xe)),0)||1,N=Math.max(...u.map(({curve:O})=>O.at(-1)?.[0]??0),1);me(s,u.map(O=>{let xe=a.get(O.name)??rb();return a.set(O.name,xe),xe.draw(O,P,N),xe.node})),s.hidden=r.hidden=!u.length,b(r,`Press a tile to show its run to the class without the name. Curves: ${n==="loss"?`loss from 0 to ${P.toFixed(1)}`:"exact match from 0 to 100 %"}, steps from 0 to ${U(N)}. `+(f?"The line below a curve says what differs from the run that you showed.":"Show a run of your own to see what differs from it.")),b(t,g),i.draw(w,v,E,T)};return m("loss"),{open(){d.open||d.showModal(),h()},close:()=>d.close()}}function rb(){let n=c("strong","who"),e=c("span","state"),t=B("path",{fill:"none"}),o=B("svg",{viewBox:`0 0 ${Jd} ${Yd}`,"aria-hidden":"true",preserveAspectRatio:"none"},t),s=c("span","differs"),r=c("span","exact"),i=x("try",c("span","head",n,r),()=>l&&ib(l));i.append(o,e,s);let a=c("li","",i),l="";return{node:a,draw(d,m,h){l=d.id,a.dataset.status=d.status,b(n,d.name),b(e,d.status==="queued"&&d.position?`queued, position ${d.position}`:sh(d)),b(s,d.difference),s.title=d.difference,b(r,d.exact===null?"":`${W(d.exact)} exact`),i.disabled=!d.dealt,i.title=d.dealt?Zg:Qg;let p=d.curve.map(([f,g])=>`${(Jd*f/h).toFixed(1)} ${((Yd-2)*(1-g/m)+1).toFixed(1)}`),u=p.length?`M${p.join("L")}`:"";t.getAttribute("d")!==u&&t.setAttribute("d",u)}}}function ib(n){eh.close(),to(),wt(new URL(`./train?run=${n}`,document.baseURI))}function ab(){let n=["fast","hard"].map(a=>B("path",{class:a,fill:"none"})),e=B("svg",{viewBox:`0 0 ${_t.width} ${_t.height}`,"aria-hidden":"true",preserveAspectRatio:"none"},...n),[t,o,s]=[c("span","fast"),c("span","hard"),c("span","small")],r=c("p","small","Nobody has pressed Too fast or Too hard yet."),i=c("figure","meter",e,c("figcaption","wrap",t,o,s));return{node:c("div","",r,i),draw(a,l,d,m){if([r.hidden,i.hidden]=[a.length>0,!a.length],!a.length)return;let h=Math.max(...a.map(([,p,u])=>Math.max(p,u)),1);n.forEach((p,u)=>{let f=`M0 ${_t.height-2}`;for(let[g,...w]of a)f+=`H${(_t.width*g/l).toFixed(1)}V${(_t.height-2-(_t.height-4)*w[u]/h).toFixed(1)}`;p.setAttribute("d",`${f}H${_t.width}`)}),b(t,`Too fast: ${d}`),b(o,`Too hard: ${m}`),b(s,`at most ${h} at once, over ${l<1.5?`${Math.round(60*l)} s`:`${Math.round(l)} minutes`}`)}}}function lb(){let n=c("input","",{type:"checkbox"}),e=c("p","care",{hidden:!0}),t=c("label","wrap shows-board",n,"Show the board to the class"),o=c("tbody"),s=c("tr"),r=ut("rows","Configurations",c("table","",c("thead","",s),o)),i=c("p","","No run has finished yet.",{hidden:!0}),a=c("p","small"),l=Tn("boarded","Board of configurations",t,e,r,i,a,c("p","small",eb),c("p","small",tb));n.addEventListener("change",async()=>{let h=n.checked,p=await q("lead",{board:h});if(!p.ok)return n.checked=!h,we(p.why);H.value?.state&&be({state:{...H.value.state,board:h}})});let d=rh(l,async()=>{let h=await q("board");if(e.hidden=h.ok,r.hidden=!h.ok,!h.ok)return b(e,h.why);m(h.fields)}),m=({reference:h,rows:p})=>{let u=new Set(p.map(({task:f})=>f)).size>1;r.hidden=!p.length,i.hidden=a.hidden=!!p.length,a.hidden=!p.length,b(a,h==="shown"?"Settings are those that differ from the run that the host showed.":"Settings are those that differ from the first line."),s.replaceChildren(...["",...u?["Task"]:[],"Settings","Runs","Exact match","Steps to solved","Parameters","Seconds"].map(f=>c("th","",f||c("span","unseen","Frontier"),{scope:"col"}))),o.replaceChildren(...p.map(f=>c("tr",f.best?"best":"",...[f.best?"★":"",...u?[f.task]:[],f.settings,String(f.runs),f.exact===null?"not measured":W(f.exact),f.steps===null?"not solved":U(f.steps),U(f.parameters),f.seconds.toFixed(1)].map(g=>c("td","",g)))))};return H.watch(h=>{t.hidden=!h?.isHost,h?.state&&(n.checked=h.state.board),l.open&&!h&&l.close()}),{open(){l.open||l.showModal(),d()}}}var Yg,Jd,Yd,_t,Xg,Qg,Zg,eb,tb,eh,Ui,Gt,Xd,Qd,Es,Wi,th,nh,ji,qi=y(()=>{Kd();gn();Ie();Z();S();ro();st();Yg=2e3,[Jd,Yd]=[120,40],_t={width:320,height:56},Xg=[["loss","Loss"],["exact_match","Exact match"]],Qg="Its owner has named this run, and everybody would see the name.",Zg="Show this run to the class, without the person's name",eb="★ Frontier: no other configuration of the task is at least as good in exact match, parameters and steps to solved, and better in one.",tb="A configuration is all settings without the seed. Several runs of one are joined: each number is their median. Runs that were stopped or changed mid-run don't count. Seconds are those of this server.";fe(document,[Vd]);eh=sb(),Ui=lb(),Gt={},Xd=()=>{},Qd="",Es=c("span","tools",x("","Tries",eh.open,{title:"What the class trains"}),x("board-button","Board",Ui.open)),Wi=x("own-run","",()=>oh(`train?run=${Gt.id}`),{title:"Open your run",hidden:!0}),th=x("main","Try it",ob,{title:"Open the settings of the host's run. You can change them and train.",hidden:!0}),nh=x("","Board",Ui.open,{title:"Configurations that the class has tried",hidden:!0}),ji=c("span","tools",Wi,th,nh);H.watch(n=>{let e=n?.seat&&!n.isHost?n.code:"";e!==Qd&&(Xd(),[Qd,Gt]=[e,{}],Xd=e?vt("visitor/try",({fields:o={},whole:s})=>Zd(s?o:{...Gt,...o})):()=>{},Zd({})),th.hidden=!n?.state||!nb(n),nh.hidden=!n?.state?.board;let t=Es.querySelector(".board-button");t&&(t.title=n?.state?.board?"The class sees the board":"Only you see the board")})});var lh={};k(lh,{default:()=>hb,follow:()=>Gi,go:()=>ve,unfollow:()=>Fi});function Gi(n,e,{parentElement:t,setStateValue:o}){X.set(n,{...e,host:t.host??t}),Ss.adopt(e,s=>o("acts",s)),ke.set(n,e)}function Fi(n){ke.set(n,null),X.set(n,null)&&Ss.release()}function ah(){return!!X.value?.host.isConnected}function ve(n,e=!0){return ah()?(Ss.add("go","",n),e&&innerWidth<cb&&Ls?.host.scrollIntoView({behavior:Y()?"auto":"smooth"}),!0):!1}var cb,db,Ss,Ls,hb,_i,Cn=y(()=>{nt();Z();ce();ne();I();S();de();cb=640,db={ArrowRight:["operation",1],ArrowLeft:["operation",-1],PageDown:["operation",1],PageUp:["operation",-1],"Shift+ArrowRight":["sublayer",1],"Shift+ArrowLeft":["sublayer",-1],".":["time",1],",":["time",-1],g:["gradient",1]},Ss=new oe,Ls=null,hb=C(He,n=>new _i(n),n=>Ls=n);document.addEventListener("keydown",n=>{if(!ah()||!te(n))return;let[e,t]=db[$e(n)]??[];!e||e==="operation"&&(t>0?X.value?.last:X.value?.first)&&document.documentElement.hasAttribute("data-present")||(n.preventDefault(),(!n.repeat||e!=="gradient")&&Ss.add(e,"",t))});_i=class{host;list=c("ol","wrap");menu=c("div","menu",{role:"menu",popover:"auto"});nav=c("nav","crumbs",this.list,this.menu,{ariaLabel:"Path of this operation"});tour=c("nav","tour wrap",{ariaLabel:"Short tour"});sentence=c("p","tour-sentence",{role:"status"});unwatch;constructor(e){this.host=e.host??e,this.host.style.scrollMarginTop="4.5rem",e.append(this.tour,this.sentence,this.nav),this.listen(),this.unwatch=X.watch(t=>t&&this.draw(t))}close(){this.tour.remove(),this.sentence.remove(),this.nav.remove(),Ls===this&&(Ls=null),this.unwatch()}listen(){let{list:e,menu:t}=this,o=r=>r.target.closest("button"),s=()=>t.getRootNode().activeElement;e.addEventListener("click",r=>{let i=o(r);i&&(i===e.lastElementChild?.firstElementChild?this.openMenu(i):ve({name:i.value}))}),t.addEventListener("click",r=>{let i=o(r);i&&(t.hidePopover(),ve({name:i.value}))}),t.addEventListener("keydown",r=>{let i=[...t.querySelectorAll("button")],a=i.findIndex(d=>d===s()),l={ArrowDown:a+1,ArrowUp:a-1+i.length,Home:0,End:i.length-1}[r.key];r.stopPropagation(),l!==void 0&&(r.preventDefault(),i[l%i.length].focus())}),t.addEventListener("toggle",r=>{let i=e.querySelector("button.last");i?.setAttribute("aria-expanded",String(r.newState==="open")),r.newState==="closed"&&t.contains(s())&&i?.focus()})}draw({lit:e,crumbs:t,stops:o=[]}){let{host:s,tour:r,list:i,menu:a}=this;r.hidden=!o.length,s.closest(Wn)?.style.setProperty("flex-basis",o.length?"100%":"");let l=[...r.children],d=l.pop()??x("stop end","End tour",()=>ve({ends:!0}));me(r,[...o.map(([p,u],f)=>{let g=l[f]??x("stop",`${f+1} ${p}`,()=>ve({name:g.value}));return Object.assign(g,{value:u,ariaCurrent:u===e?"step":null})}),d]),this.sentence.hidden=!o.length,b(this.sentence,o.find(([,p])=>p===e)?.[2]??"");let m=r.querySelector("[aria-current]");for(m&&(r.scrollLeft=m.offsetLeft-(r.clientWidth-m.offsetWidth)/2),a.dataset.lit!==e&&a.matches(":popover-open")&&a.hidePopover(),a.dataset.lit=e;i.children.length>t.length;)i.lastElementChild?.remove();for(;i.children.length<t.length;)i.append(c("li","",c("button","",{type:"button"})));let h=i.querySelectorAll("button");t.forEach(([p,u],f)=>{let g=h[f],w=f===t.length-1;b(g,p),g.classList.toggle("last",w),Object.assign(g,{value:u,...w?{ariaCurrent:"step",ariaHasPopup:"menu",ariaExpanded:"false"}:{ariaCurrent:null,ariaHasPopup:null,ariaExpanded:null}})}),i.scrollLeft=i.scrollWidth}openMenu(e){let{menu:t}=this,o=X.value?.lit,s=o===void 0?[]:bn.value?.(o)??[];if(!s.length)return;let r={type:"button",role:"menuitem",tabIndex:-1};t.replaceChildren(...s.map(({label:m,name:h})=>c("button","",m,{...r,value:h,ariaCurrent:h===o?"step":null}))),t.showPopover();let i=e.getBoundingClientRect(),{offsetWidth:a,offsetHeight:l}=t,d=innerHeight-i.bottom-8;t.style.left=`${Math.max(8,Math.min(i.left,document.documentElement.clientWidth-a-8))}px`,t.style.top=`${l<=d?i.bottom+4:Math.max(8,innerHeight-l-8)}px`,(t.querySelector("[aria-current]")??t.querySelector("button"))?.focus()}}});var yh={};k(yh,{contextHere:()=>ph});function Sb(n){let e=new URL("./",document.baseURI),t=URL.canParse(n,e.href)?new URL(n,e.href):null;return t?.origin===e.origin&&t.pathname.startsWith(e.pathname)?t:null}function ph(){let n=fn();return re.value&&n.searchParams.set(hh,re.value.name),n.pathname.slice(new URL("./",document.baseURI).pathname.length)+(n.search||"?")}function Ns(){V?.leads&&Rs>Os&&!at.send&&!$s&&(at.send=window.setTimeout(uh,mb))}async function uh(){at.send=0;let n=ph();if(!V?.leads||!V.state||document.hidden)return;if(n===Ke||Rs<=Os)return fh(V,!1);let{code:e,state:t}=V;[$s,Ke,uo,Ms]=[!0,n,null,t.v];let o=await q("lead",{context:{at:n}},e);if($s=!1,o.ok)Ms=o.fields.v;else if(o.status)o.status===422&&wh(`The class can't follow to this view. ${o.why}`);else{Ke="",at.send=window.setTimeout(uh,pb);return}Ns()}function As({state:n,isHost:e,leads:t,follows:o}){return t||!e&&o&&n?.mode==="lead"}function fh(n,e){let{state:t,leads:o}=n;if(!t||!As(n))return;let{at:s}=t.context;if(!s)return Ke?void 0:(Rs=performance.now(),Ns());if(s===Ke&&!e||o&&($s||at.send||t.v<=Ms))return;let r=Sb(s);r&&(Ke=s,Os=performance.now(),ch=ch.then(()=>Cb(r,s,e)))}async function Cb(n,e,t){let o=!gh&&!t&&Bt(n,Eb);for(;!$b();)await Ki(mh);if(!dh(e))return;let s=o?n:uo??new URL(location.href);if(t||!Bt(n,s))if(!t&&Bt(...[n,s].map(Mb))&&await wn.value?.(n.searchParams))fo=!0,history.replaceState(history.state,"",n.href);else{let i=V?.state?.counts.seats??0;if(await Ki(V?.leads||t?0:Math.random()*Math.min(gb,fb*i)),!dh(e))return;fo=!1,wt(n)}uo=n,o||(Os=performance.now()),clearTimeout(at.mark);let r=n.searchParams.get(hh);V?.leads?Jn.set(H,r?{name:r}:null):bh(r)}function dh(n){return n!==Ke?!1:V&&As(V)?!0:(Ke="",!1)}function Mb(n){let e=new URL(n);for(let t of wb)e.searchParams.delete(t);return e}function $b(){return gh||=document.querySelector(je)?.getAttribute(Oe)==="notRunning"&&!!yn.value}function Ki(n){return new Promise(e=>setTimeout(e,n))}function bh(n,e=bb){let t=yn.value?.find(s=>s.name===n)?.parts??[],o=document.querySelector(`${K} ${_(t.at(-1)??"none")}`);if(o?.offsetHeight){o.scrollIntoView({block:"nearest",behavior:Y()?"auto":"smooth"});let s={outline:"3px solid #6f62ea",outlineOffset:"3px"};o.animate([s,s,{...s,outlineColor:"transparent"}],2500)}else n&&e&&(at.mark=window.setTimeout(bh,mh,n,e-1))}function Ab(n){if(!n.isTrusted)return;Rs=performance.now();let e=n.composedPath().filter(s=>s instanceof Element);if(!V||!fo&&(V.isHost||!As(V))||e.some(s=>s.matches(Tb)))return;let t=n instanceof KeyboardEvent,o=e.some(s=>s.matches(vb))||getComputedStyle(e[0]).cursor==="pointer";(t?kb.includes(n.key):n.type!=="input"&&!o)||(fo&&Rb(),Cs&&n.type==="click"&&Ob(n,e),!(V.isHost||!As(V)||n.type==="pointerdown")&&(t?setTimeout(()=>n.defaultPrevented&&ot(!1)):ot(!1)))}function Rb(){fo=!1;let n=X.value?.lit;if(n===void 0||!ve({name:n},!1))return;let e=0,t=new Promise(s=>{let r=X.watch(()=>{e++&&(r(),s())})}),o=()=>{Cs=null};Cs=Promise.race([t,Ki(yb)]).then(o,o)}function Ob(n,e){let t=e.find(o=>o instanceof HTMLButtonElement);t&&(n.preventDefault(),n.stopImmediatePropagation(),Cs?.then(()=>t.click()))}function wh(n){b(Lb,n),clearTimeout(at.notice),n&&(at.notice=window.setTimeout(wh,xb,""))}var hh,mb,pb,ub,fb,gb,bb,mh,wb,yb,xb,kb,vb,Tb,Eb,Ke,uo,fo,Cs,ch,Rs,Os,Ms,$s,V,at,Lb,gh,Vi=y(()=>{gn();de();Cn();Z();ne();S();st();hh="present",mb=100,pb=2e3,ub=6e4,fb=5,gb=1e3,bb=40,mh=250,wb=["operation","cell","head","heads","columns","table"],yb=3e3,xb=1e4,kb=["?","q","f","b","a","l","c","Tab","Escape"],vb="a, button, input, select, textarea, summary, label, canvas, [role=button], [role=tab], [role=option], [role=slider]",Tb=`.playground-room, .playground-presenter, [data-picks], dialog, .term, .plan-buttons, ${_("presenter")}, ${_("share")}`,Eb=new URL(location.href),Ke="",uo=null,fo=!1,Cs=null,ch=Promise.resolve(),Rs=0,Os=0,Ms=-1,$s=!1,V=null,at={send:0,mark:0,notice:0},Lb=Me();H.watch(n=>{n?.code!==V?.code&&([Ke,uo,Ms]=["",null,-1]);let e=V&&n&&!V.follows&&n.follows;V?.state&&V.state.mode!=="lead"&&n?.state?.mode==="lead"&&!n.leads&&([Ke,uo]=["",null]),V=n,n&&fh(n,!!e)});ei(Ns);re.watch(Ns);setInterval(()=>V?.leads&&!document.hidden&&q("lead"),ub);gh=!1;for(let n of["pointerdown","click","keydown","input"])addEventListener(n,Ab,{capture:!0})});var Ub={};function Ib(n){let{state:e,isHost:t}=n;if(n.gone||e?.mode==="ended")return Db(n);Sh.hidden=!t,Ch.hidden=t,Ft.dataset.mode=e?.mode??"",b(xh,Wt(n.code));let{seats:o=0,fast:s=0,hard:r=0}=e?.counts??{};b(Ji,`${o} in the room`),Ji.title=ls(o),kh.draw(e?.mode??""),b(vh,[s&&`${s} too fast`,r&&`${r} too hard`].filter(Boolean).join(" · ")),Th.hidden=n.leads,b(Eh,n.seat?.name??"");let i=e?.mode==="lead";b(Yi,e?e.mode==="pause"?"Look at the front":i?n.follows?"Following":"Exploring":"Look around":"Connecting …"),document.activeElement===Hs&&n.follows&&Yi.focus(),Hs.hidden=!i||n.follows;for(let a of Lh.querySelectorAll("button"))a.ariaPressed=String(a.value===n.seat?.pace)}function Db(n){let e=document.querySelector(".playground-room .card");Ft.hidden=!0,!(n.isHost&&e?.open)&&(we(`The room ${Wt(n.code)} has ended.`),queueMicrotask(()=>xn(n.code)))}async function Bb(){let n=H.value,e=n&&await Ut(n.code,{again:!0});e&&we(e)}async function Wb(n){let e=H.value?.seat;if(!e)return;let t=e.pace===n?"":n,o=await q("pace",{pace:t});o.ok?be({seat:{...e,pace:t}}):we(o.why)}var Nb,Hb,xh,Ji,kh,vh,Th,Eh,Pb,Yi,Hs,Lh,zb,Sh,Ch,Ft,Xi=y(()=>{Nd();Z();ce();S();ro();Bi();st();qi();Vi();Nb="c",Hb=[["fast","Too fast"],["hard","Too hard"]];fe(document,[Hd]);xh=x("code","",kn,{title:"Show how to join"}),Ji=c("span","seats"),kh=as(),vh=c("span","pace"),Th=x("main","Lead from this tab",to),Eh=c("strong","name"),Pb=x("","Another name",()=>Bb(),{title:"Deal another name"}),Yi=c("span","where",{role:"status",tabIndex:-1}),Hs=x("main","Back to the class",()=>ot(!0),{title:"Follow the host again (C)",ariaKeyShortcuts:"C"}),Lh=c("div","paces",{role:"group",ariaLabel:"Tell the host, without your name"},...Hb.map(([n,e])=>x("",e,()=>Wb(n),{value:n}))),zb=x("","Leave",eo,{title:"Leave the room in this tab"}),Sh=c("div","line",xh,Ji,kh.node,vh,Th,Es,x("join","Join card",kn)),Ch=c("div","line",c("span","who",Eh,Pb),Yi,ji,Hs,Lh,zb),Ft=c("section","bar",Di(),Sh,Ch,{ariaLabel:"Room",hidden:!0});document.body.append(c("div","playground-room",Ft));H.watch(n=>{Ft.hidden=!n,n&&Ib(n)});new ResizeObserver(()=>{let{style:n,dataset:e}=document.documentElement;n.setProperty("--room",`${Ft.offsetHeight}px`),e.present!==void 0&&dispatchEvent(new Event("resize"))}).observe(Ft);document.addEventListener("click",({target:n})=>{n instanceof Element&&(n.closest(".open-room")&&vn(),n.closest(".join-room")&&so())});addEventListener("keydown",n=>{$e(n)!==Nb||Hs.hidden||Ft.hidden||!te(n)||(n.preventDefault(),ot(!0))});gi().then(n=>n&&we(n))});var Mh={};k(Mh,{hide:()=>lt,hideSoon:()=>Ds,show:()=>Is});function jb(n){Is(n,n.textContent,"",n.getAttribute("aria-description"))}function Is(n,e,t,o,s=""){if(clearTimeout(go),Qi===n&&!Te.hidden)return;Qi=n;let r=[["title",e],["shape",t],["",o],["action",s]];Te.replaceChildren(...r.flatMap(([u,f])=>f?[c("div",u??"",f)]:[]));let i=getComputedStyle(document.querySelector(je)??document.body);Te.style.background=i.color,Te.style.color=i.backgroundColor,Te.hidden=!1;let a=n.getBoundingClientRect(),{offsetWidth:l,offsetHeight:d}=Te,m=a.top-d-Mn,h=a.bottom+Mn,p=a.left+a.width/2-l/2;Te.style.left=`${Math.max(Mn,Math.min(p,document.documentElement.clientWidth-l-Mn))}px`,Te.style.top=`${m>Mn||h+d>innerHeight?Math.max(Mn,m):h}px`}function Ds(){clearTimeout(go),go=setTimeout(lt,120)}function lt(){clearTimeout(go),Qi=null,Te.hidden=!0}var Mn,Te,Qi,go,Ps,Zi,zs,Kt,Bs=y(()=>{ne();S();Mn=8,Te=c("div","playground-tip"),Qi=null,go=0;Te.setAttribute("role","tooltip");Te.hidden=!0;document.body.append(Te);Ps=n=>{let[e]=n.composedPath();return e instanceof Element?e.closest(".term"):null},Zi=n=>Te.contains(n.target),zs=n=>{let e=Ps(n);return e&&jb(e),e},Kt=document.addEventListener.bind(document);Kt("pointerover",n=>Zi(n)?clearTimeout(go):zs(n));Kt("pointerout",n=>(Ps(n)||Zi(n))&&n.pointerType!=="touch"&&Ds());Kt("focusin",zs);Kt("focusout",n=>Ps(n)&&lt());Kt("click",n=>zs(n)||Zi(n)||lt());Kt("keydown",n=>{if(!Ps(n)||n.key!=="Enter"&&n.key!==" ")return lt();n.preventDefault(),zs(n)});Kt("scroll",lt,{capture:!0,passive:!0});addEventListener("resize",lt)});var Ah,$h=y(()=>{Ah=`/* The first look: a sentence and a short tour beside a model at work. */
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
`});var Rh={};k(Rh,{Latest:()=>Be,ask:()=>Ee});async function Ee(n,e,t=()=>!0){for(let o=1;;o++){let s=await fetch(n,{signal:AbortSignal.timeout(e)}),r=Number(s.headers.get("Retry-After"));if(s.status!==429||o===4||!t())return s;let i=Date.now()+1e3*Math.min(30,Math.max(1,r||1))*(1+Math.random()/2);for(;Date.now()<i&&t();)await new Promise(a=>setTimeout(a,200));if(!t())return s}}var Be,ct=y(()=>{Be=class{most;read;known=new Map;wanted=null;busy=!1;constructor(e,t){this.most=e,this.read=t}ask(e,t){let o=this.known.get(e);this.wanted=o?null:{address:e,act:t},o?t(o):this.busy||this.work()}forget(){this.wanted=null}async work(){for(this.busy=!0;this.wanted;){let{address:e}=this.wanted,t=await this.read(e,()=>this.wanted?.address===e);"problem"in t||this.known.set(e,t);let[o]=this.known.keys();if(this.known.size>this.most&&this.known.delete(o),this.wanted?.address!==e)continue;let{act:s}=this.wanted;this.wanted=null,s(t)}this.busy=!1}}});var Oh={};k(Oh,{decode:()=>ee});function ee(n){let e=n.slice().buffer,t=new DataView(e).getUint32(0,!0),o=JSON.parse(new TextDecoder().decode(new Uint8Array(e,4,t))),s=4+t,r=(i,a)=>{let l=new i(e,s,a);return s+=4*Math.ceil(l.byteLength/4),l};return o.tensors.forEach((i,a)=>{i.index=a,i.cells=i.rows.count*i.columns.count;let l=(i.heads?.count??1)*i.cells;i.values=i.kind==="mask"?r(Uint8Array,l):r(Float32Array,l),i.slopes=i.gradient?r(Float32Array,l):null,i.causes=i.hidden?r(Uint8Array,i.hidden*i.cells):null;for(let d of[i.rows,i.columns])d.names=o.labels[d.labels]??null}),o}var Ve=y(()=>{});var Nh={};k(Nh,{attentionOf:()=>Vt});async function Vt(n,e,t){let o=new URLSearchParams(e);try{let s=new URL(`./library/${encodeURIComponent(n)}/attention?${o}`,document.baseURI),r=await Ee(s,_b,t);if(!r.ok)return{tensor:null,problem:await r.text(),later:r.status===429};let[i]=ee(new Uint8Array(await r.arrayBuffer())).tensors;return{tensor:i,problem:"",later:!1}}catch{return{tensor:null,problem:"",later:!0}}}var _b,bo=y(()=>{ct();Ve();_b=2e4});var Hh={};k(Hh,{default:()=>Vb});function Jb(n){return[...n.replace(/[\s,]/g,"")].join(" ")}function Yb({values:n,heads:e,rows:t,columns:o},s){let r=e?.count??1;return Array.from({length:o.count},(i,a)=>{let l=0;for(let d=0;d<r;d++)l+=n[(d*t.count+s)*o.count+a];return l/r})}var Gb,Fb,Kb,Vb,ea,Ph=y(()=>{j();$h();ct();bo();Z();I();S();Ve();Gb=300,Fb=550,Kb=.02,Vb=C([R,Ah],n=>new ea(n),(n,{data:e,setTriggerValue:t})=>{n.open=o=>t("stop",{tap:o,input:n.answered}),n.learn=()=>t("lesson",!0),n.show(e)});ea=class{stops;plot;status;input;questions;lines;open=()=>{};learn=()=>{};data=null;answered="";timer=0;typing=0;read=[];written=[];constructor(e){let t=o=>e.querySelector(o);t(".first").hidden=!1,this.stops=t(".stops"),t(".lesson").addEventListener("click",()=>this.learn()),this.plot=t(".plot"),this.status=t(".status"),this.input=t("input"),this.input.addEventListener("input",()=>{clearTimeout(this.typing),this.typing=setTimeout(()=>this.ask(),Gb)}),this.questions=new Be(20,(o,s)=>{let{name:r,stamp:i}=this.data;return Vt(r,{stamp:i,input:o},s).then(a=>a.tensor??a)})}close(){clearTimeout(this.timer),clearTimeout(this.typing),this.questions.forget()}show(e){if(this.data)return;this.data=e;let t=document.querySelector("#opening .look");if(this.stops.replaceChildren(...Object.entries(e.stops).map(([s,r],i)=>x("stop",`${i+1} ${s}`,()=>this.open(r)))),this.input.value=this.answered=e.input,!t?.dataset.weights)return this.ask();let[o]=ee(Uint8Array.from(atob(t.dataset.weights),s=>s.charCodeAt(0))).tensors;this.draw(o,!0)}ask(){let e=Jb(this.input.value);if(this.plot.classList.remove("old"),!e)return b(this.status,"");this.questions.ask(e,t=>{if(!("values"in t)){this.rest(),this.plot.classList.add("old"),b(this.status,t.problem||"The server does not answer. Type again to retry.");return}this.answered=e,this.draw(t)})}draw(e,t=!1){clearTimeout(this.timer);let{rows:o,columns:s}=e,r=o.count-1;this.read=Array.from({length:s.count},(a,l)=>c("span","token",Ne(s,l))),this.written=Array.from({length:r},(a,l)=>{let d=x("token",Ne(o,l+1),()=>this.look(e,l));for(let m of["pointerenter","focus"])d.addEventListener(m,()=>this.look(e,l));return d}),this.lines=B("svg",{viewBox:`0 0 ${s.count} 1`,preserveAspectRatio:"none","aria-hidden":"true"}),this.plot.style.setProperty("--columns",String(s.count)),this.plot.replaceChildren(c("div","row",...this.read),this.lines,c("div","row",...this.written));let i=this.written.map(a=>a.textContent).join(" ");if(this.plot.setAttribute("aria-label",`Answer: ${i}`),Y()||t||!r){r&&this.look(e,0);return}this.plot.classList.add("writing"),this.write(e,0)}write(e,t){this.mark(e,t),this.written[t].classList.add("there"),t+1<this.written.length?this.timer=setTimeout(()=>this.write(e,t+1),Fb):this.plot.classList.remove("writing")}rest(){clearTimeout(this.timer),this.plot.classList.remove("writing")}look(e,t){this.rest(),this.mark(e,t)}mark(e,t){let o=Yb(e,t),s=o.indexOf(Math.max(...o));this.read.forEach((i,a)=>{i.style.setProperty("--weight",String(o[a])),i.classList.toggle("most",a===s)}),this.written.forEach((i,a)=>i.classList.toggle("shown",a===t)),this.lines?.replaceChildren(...o.flatMap((i,a)=>{if(i<Kb)return[];let l=B("path",{d:`M${t+.5} 1 C${t+.5} 0.4 ${a+.5} 0.6 ${a+.5} 0`});return l.style.setProperty("--weight",String(i)),[l]}));let r=e.heads?.count??1;b(this.status,`When the model predicts “${this.written[t].textContent}”, ${W(o[s])} of its attention to the input goes to the marked “${this.read[s].textContent}” (cross-attention, mean of ${r} heads).`)}}});var Ih,zh=y(()=>{Ih=`/* The library as cards. */
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
`});var Bh={};k(Bh,{CAUSAL:()=>dt,PADDING:()=>Ct,WINDOW:()=>Mt,causeOf:()=>na,css:()=>ue,drawn:()=>Yt,hatch:()=>oa,hatchCss:()=>yo,imageOf:()=>Jt,mix:()=>St,readTheme:()=>F,readableOn:()=>wo,shade:()=>Ws});function F(n){let e=getComputedStyle(n.host??n),t=c("canvas");t.width=t.height=1;let o=_e(t,{willReadFrequently:!0}),s=u=>(o.clearRect(0,0,1,1),o.fillStyle=e.getPropertyValue(u).trim(),o.fillRect(0,0,1,1),[...o.getImageData(0,0,1,1).data.subarray(0,3)]),r=u=>[1,3,5].map(f=>parseInt(u.slice(f,f+2),16)),i=s("--st-background-color"),a=s("--st-text-color"),l=Dh(i)>.5?Qb:Zb,d=u=>[i,...l[u].map(r)],m=parseFloat(getComputedStyle(document.documentElement).fontSize),h=parseFloat(e.getPropertyValue("--least"))||0,p=e.getPropertyValue("--st-font").trim()||"sans-serif";return{background:i,panel:s("--st-secondary-background-color"),negative:d("negative"),positive:d("positive"),probability:d("probability"),allowed:St(i,a,.45),hatch:ue(St(i,a,.4)),lines:`rgba(${a.join(", ")}, 0.16)`,labels:ue(St(i,a,.75)),ink:ue(a),accent:ue(s("--st-primary-color")),small:`${Math.max(.6875*m,h)}px ${p}`,text:`${Math.max(.75*m,h)}px ${p}`,bold:`600 ${Math.max(.75*m,h)}px ${p}`,strong:`700 ${Math.max(.6875*m,h)}px ${p}`,family:p,line:Math.round(Math.max(.875*m,1.1*h)),scale:m/16}}function Ws(n,e,t){if(!Number.isFinite(e))return t.background;if(n.kind==="tokens")return t.panel;if(n.kind==="mask")return e?t.allowed:t.background;if(n.kind==="probability")return ta(t.probability,e);if(!n.coloured)return t.panel;let{most:o=1}=n;return e<0?ta(t.negative,-e/o):ta(t.positive,e/o)}function Jt(n,e,t=()=>!0){let o=new ImageData(n.columns,n.rows);for(let s=0;s<n.values.length;s++)o.data.set(Ws(n,n.values[s],e),4*s),o.data[4*s+3]=t(s)?255:0;return o}function Yt(n,e){return Object.assign(n,{width:e.width,height:e.height}),_e(n).putImageData(e,0,0),n}function ta(n,e){let t=Math.min(Math.max(e,0),1)*2,o=t<1?0:1;return St(n[o],n[o+1],t-o)}function Dh(n){let[e,t,o]=Array.from(n,s=>{let r=s/255;return r<=.04045?r/12.92:((r+.055)/1.055)**2.4});return .2126*e+.7152*t+.0722*o}function wo(n){return Dh(n)>.179?"#000":"#fff"}function St(n,e,t){return n.map((o,s)=>Math.round(o+(e[s]-o)*t))}function ue(n){return`rgb(${n.join(", ")})`}function na(n,e){return(n.hidden?.[e]??0)||(n.values[e]===-1/0?dt:0)}function oa(n,e,t,o){let s=Math.round(6*o),r=c("canvas");r.width=r.height=s;let i=_e(r);i.strokeStyle=e.hatch,i.lineWidth=o,i.beginPath();for(let l of[-s,0,s])t&dt&&(i.moveTo(l,s),i.lineTo(l+s,0)),t&Ct&&(i.moveTo(l,0),i.lineTo(l+s,s)),t&Mt&&(i.moveTo(0,l+s/2),i.lineTo(s,l+s/2));i.stroke();let a=n.createPattern(r,"repeat");return a?.setTransform(new DOMMatrix().scale(1/o)),a??"transparent"}function yo(n,e){let t=o=>`repeating-linear-gradient(${o}deg, ${n.hatch} 0 1px, transparent 1px 4px)`;return[e&dt&&t(135),e&Ct&&t(45),e&Mt&&t(0)].filter(Boolean).join(", ")}var Qb,Zb,dt,Ct,Mt,Le=y(()=>{S();Qb={negative:["#74abd9","#0b4a8f"],positive:["#f3a354","#9c4100"],probability:["#9b78d3","#3d0f70"]},Zb={negative:["#2c68a8","#9bd0ff"],positive:["#a85a10","#ffc27d"],probability:["#8558cc","#e4d4ff"]},dt=1,Ct=2,Mt=4});var jh={};k(jh,{keepClear:()=>aa});function aa(n){js!==n&&(js=n,Wh.observe(document.body,{childList:!0,subtree:!0}),addEventListener("scroll",Xt,{capture:!0,passive:!0}),addEventListener("resize",Xt)),Xt()}function Xt(){Uh||=requestAnimationFrame(ew)}function ew(){if(Uh=0,!js?.isConnected)return tw();let n=[_("card-actions"),_("dock")].map(i=>document.querySelector(i));if(n.some((i,a)=>i!==ia[a])){ra.disconnect();for(let i of n)i&&ra.observe(i);ia=n}let[e,t]=n;if(!e||!t)return sa.style.removeProperty("--corner");let{top:o,bottom:s}=e.getBoundingClientRect(),r=innerHeight-s>=t.offsetHeight+2*Us;sa.style.setProperty("--corner",`${Math.round(r?Us:Math.max(Us,innerHeight-o+Us/2))}px`)}function tw(){js=null,ia=[],Wh.disconnect(),ra.disconnect(),removeEventListener("scroll",Xt,{capture:!0}),removeEventListener("resize",Xt),sa.style.removeProperty("--corner")}var Us,sa,ra,Wh,js,ia,Uh,la=y(()=>{ne();Us=14,sa=document.documentElement,ra=new ResizeObserver(Xt),Wh=new MutationObserver(Xt),js=null,ia=[],Uh=0});var qh={};k(qh,{say:()=>$t,upload:()=>xo});async function xo(n,e){if(ca)return null;let t=ow(n,e);if(t)return $t(t,!0);ca=!0,$t(`Uploading ${n.name}`);try{let{name:o,message:s,problem:r}=await sw(n);return o?($t(s??""),setTimeout(()=>ht.text.textContent===s&&da(),nw),o):$t(r||"The server refused the file. Try again.",!0)}catch{return $t("The file did not reach the server. Check your connection and try again.",!0)}finally{ca=!1,ht.bar.hidden=!0}}function $t(n,e=!1){return ht.text.textContent=n,ht.node.classList.toggle("wrong",e),ht.node.hidden=!1,ht.close.hidden=!e,null}function ow({name:n,size:e},t){return/\.zip$/i.test(n)?e>t?`${n} is too large. A checkpoint has at most ${Math.round(t/1e6)} MB.`:"":`${n} isn't a checkpoint. Choose a .zip made by Download.`}function sw(n){return new Promise((e,t)=>{let o=new XMLHttpRequest,s=new URLSearchParams({name:n.name});o.open("POST",new URL(`./checkpoint?${s}`,document.baseURI)),o.responseType="json",o.upload.onprogress=({loaded:r,total:i,lengthComputable:a})=>{ht.bar.hidden=!a,a&&(ht.bar.value=r/i)},o.onload=()=>e(o.response??{}),o.onerror=o.ontimeout=o.onabort=t,o.send(n)})}function da(){ht.node.hidden=!0}function rw(){let n=c("span"),e=c("progress","",{max:1,value:0,hidden:!0}),t=x("","Close",da),o=c("div","playground-upload",n,e,t,{hidden:!0,role:"status"});return addEventListener("keydown",s=>s.key==="Escape"&&!t.hidden&&da()),document.body.append(o),{node:o,text:n,bar:e,close:t}}var nw,ht,ca,qs=y(()=>{S();nw=6e3,ht=rw(),ca=!1});var _h={};k(_h,{default:()=>mw});function pw(n){return n.text??=[n.name,n.task,n.reads,n.architecture,n.origin,n.begun,n.problem&&"unusable"].join(" ").toLowerCase(),n.text}function uw(n,e){let[t,o]=[n??null,e??null].map(s=>s===null);return t||o?Number(t)-Number(o):typeof n=="number"?Number(e)-n:hw.compare(String(n),String(e))}function fw({problem:n,task:e,reads:t,architecture:o,exact:s,sequences:r,evidence:i,step:a,size:l,saved:d,origin:m,begun:h,shipped:p}){let u=typeof s=="number",f=u&&c("div","gauge");f&&f.style.setProperty("--share",String(s));let g=c("div","score",u&&c("strong","",W(s)," "),c("span","soft",u?`exact match${r?` on ${U(r)} inputs`:""}`:"not tested"));g.title=i;let w=[n&&"unusable",m&&`from ${m}`,h&&`goes on from ${h}`,p&&"included with the app"];return[n?"":c("div","",`${e}, ${t}`),c("div","soft",n||o),n?"":g,f||"",c("div","soft",[a,l,!p&&dw.format(1e3*d)].filter(Boolean).join(" · ")),c("div","badges wrap",...w.map(v=>v&&c("span","badge",v)))]}var iw,aw,lw,cw,dw,hw,ha,ma,mw,pa,ua,Gh=y(()=>{j();zh();nt();Le();bo();la();ce();ne();qs();I();S();iw={"":"newest first",name:"name",task:"task",exact:"exact match, best first",bytes:"size, largest first"},aw=["select","move","open","added"],lw=400,cw=2,dw=new Intl.DateTimeFormat("en",{dateStyle:"medium",timeStyle:"short",hourCycle:"h23"}),hw=new Intl.Collator("en",{numeric:!0}),ha=new Set,ma=0,mw=C([R,Ih],n=>new pa(n),(n,{data:e,setStateValue:t})=>{n.acts.adopt(e,o=>t("acts",o)),n.show(e)}),pa=class{root;theme;data;cards=new Map;shown=[];acts=new oe;typing=0;search=c("input","",{type:"search",placeholder:"Search",ariaLabel:"Search the library"});order=c("select","",...Object.entries(iw).map(([e,t])=>new Option(t,e)));count=c("span","count",{role:"status"});grid=c("ul","grid",{ariaLabel:"Checkpoints"});nothing=c("p","nothing");file=Ze(".zip,application/zip",async([e])=>{let t=e?await xo(e,this.data.most):null;t&&this.act("added",t)});choose=x("","Upload",()=>this.file.click(),{title:"Choose a checkpoint .zip, or drop it on this page."});bar=c("div","bar wrap large",this.search,c("label","","Sort by ",this.order),this.count,this.choose,this.file);box=c("div","box",this.bar,this.grid,this.nothing);sight=new IntersectionObserver(e=>{for(let{target:t,isIntersecting:o}of e)this.cards.get(t.dataset.name??"")?.look(o)},{rootMargin:"120px"});constructor(e){this.root=e,this.theme=F(e),this.search.addEventListener("input",()=>{clearTimeout(this.typing),this.typing=setTimeout(()=>{this.typing=0,this.act("search","",this.search.value)},lw),this.draw()}),this.search.addEventListener("keydown",t=>t.stopPropagation()),this.order.addEventListener("change",()=>this.act("sort","",this.order.value)),this.grid.addEventListener("keydown",t=>this.move(t)),e.append(this.box)}close(){clearTimeout(this.typing),this.sight.disconnect(),this.box.remove()}show(e){let t=this.data?.selected??e.selected;this.data=e,this.theme=F(this.root),!this.typing&&!this.acts.pending.some(([,o])=>o==="search")&&(this.search.value=e.search),this.draw(),t!==e.selected&&this.cards.get(e.selected)?.node.scrollIntoView({block:"nearest"}),!this.typing&&!this.acts.pending.length&&this.settle(),aa(this.box)}act(e,t,o){this.acts.add(e,t,o),this.draw()}settle(){let e=this.shown[0]?.name??"";e!==this.data.selected&&!this.shown.some(({name:t})=>t===this.data.selected)&&this.act("move",e)}get expected(){let{rows:e,selected:t,sort:o}=this.data,s={rows:e,selected:t,sort:o,ticked:new Set(this.data.ticked)};for(let[,r,i,a]of this.acts.pending)r==="sort"&&(s.sort=a),r==="tick"&&s.ticked[a?"add":"delete"](i),r==="delete"&&(s.rows=s.rows.filter(l=>l.name!==i)),aw.includes(r)&&(s.selected=i),r==="delete"&&(s.selected=a??i);return s}draw(){let{grid:e,search:t,nothing:o}=this,{rows:s,selected:r,sort:i,ticked:a}=this.expected;this.order.value=i;let l=t.value.toLowerCase().split(/\s+/),d=s.filter(u=>l.every(f=>pw(u).includes(f)));i&&d.sort((u,f)=>uw(u[i],f[i])),this.shown=d;let m=d.map(u=>{let f=this.cards.get(u.name)??new ua(this,u);return f.fill(u,u.name===r,a),f}),h=[...e.children].findIndex(u=>u.matches(":focus-within"));me(e,m.map(({node:u})=>u)),h>=0&&!e.matches(":focus-within")&&m[Math.min(h,m.length-1)]?.pick.focus();let p=m.find(({row:u})=>u.name===r)??m[0];for(let u of this.cards.values())u.pick.tabIndex=u===p?0:-1;document.querySelector(_("card-buttons"))?.toggleAttribute("inert",!d.some(({name:u})=>u===this.data.selected)),b(this.count,t.value.trim()?`${d.length} of ${s.length}`:`${s.length} checkpoint${s.length===1?"":"s"}`),o.hidden=d.length>0,b(o,s.length?`No checkpoint matches “${t.value}”.`:"No checkpoints yet. Train a model and save it, or drop a .zip on this page.")}move(e){let t=[...this.grid.children].flatMap(i=>this.cards.get(i.dataset.name??"")??[]),o=t.findIndex(({node:i})=>i.contains(e.target));if(o<0||e.altKey||e.ctrlKey||e.metaKey)return;let s=t.filter(({node:i})=>i.offsetTop===t[0].node.offsetTop).length,r={ArrowLeft:-1,ArrowRight:1,ArrowUp:-s,ArrowDown:s,Home:-o,End:t.length}[e.key];if(r!==void 0){le(e);let i=t[Math.min(t.length-1,Math.max(0,o+r))];for(let a of t)a.pick.tabIndex=a===i?0:-1;i.pick.focus()}else e.key==="Delete"&&!e.repeat&&!t[o].row.shipped&&this.act("delete",t[o].row.name,(t[o+1]??t[o-1])?.row.name)}};ua=class{cards;row;stamp="";seen=!1;picture=null;ink="";box=c("input");pick;heads=c("div","heads");facts=c("div","facts");tick=c("label","tick",this.box,"Compare");node;constructor(e,t){let{name:o}=t;this.cards=e,this.row=t,Object.assign(this.box,{type:"checkbox",ariaLabel:`Compare ${o}`}),this.box.addEventListener("change",()=>e.act("tick",o,this.box.checked)),this.pick=x("pick",o,()=>e.act("select",o)),this.pick.addEventListener("dblclick",()=>e.act("open",o)),this.node=c("li","card",this.heads,this.pick,this.facts,this.tick),this.node.dataset.name=o,e.cards.set(o,this),e.sight.observe(this.node)}fill(e,t,o){let{box:s,node:r,pick:i,tick:a}=this;r.classList.toggle("selected",t),i.ariaPressed=String(t),s.checked=o.has(e.name),s.disabled=!!e.problem||!s.checked&&o.size>=2,a.title=e.problem?"This checkpoint can't be used.":s.disabled?"Compare two at a time.":"";let l=JSON.stringify(e);this.stamp!==l&&(Object.assign(this,{row:e,stamp:l,picture:null}),r.classList.toggle("unusable",!!e.problem),this.facts.replaceChildren(...fw(e)),this.heads.replaceChildren(),this.look(this.seen)),this.picture&&this.ink!==this.cards.theme.ink&&this.paint()}async look(e){if(this.seen=e,!(!e||this.picture||this.row.problem)&&(ha.add(this),!(ma>=cw))){ma+=1;for(let t of ha)ha.delete(t),t.seen&&t.node.isConnected&&!t.picture&&await t.ask();ma-=1}}async ask(){let{name:e,stamp:t}=this.row,o=()=>this.seen&&this.row.stamp===t,{tensor:s,problem:r,later:i}=await Vt(e,{heads:"few",stamp:t},o);this.row.stamp===t&&(i||(this.picture=s??r),s?this.paint():r&&this.heads.replaceChildren(c("span","why",r)))}paint(){let{picture:e,heads:t,cards:{theme:o}}=this;if(this.ink=o.ink,!e||typeof e=="string"||!e.heads)return;let{rows:s,columns:r,cells:i,heads:a}=e;t.replaceChildren(...Array.from({length:a.count},(d,m)=>{let h=e.values.subarray(m*i,(m+1)*i);return Yt(c("canvas"),Jt({...e,values:h,rows:s.count,columns:r.count},o))}));let l=`Attention of ${a.count}${a.size>a.count?` of ${a.size}`:""} head${a.size>1?"s":""}`;Object.assign(t,{role:"img",ariaLabel:l,title:`${l} on an example`})}}});var Vh={};k(Vh,{default:()=>gw});function gw({data:n,setTriggerValue:e}){ko={...n,kept:t=>e("kept",t)}}function fa(n){return ko&&[...n.dataTransfer?.types??[]].includes("Files")}function Kh(n){return e=>{fa(e)&&(e.preventDefault(),_s=Math.max(0,_s+n),Fh.hidden=_s===0)}}function bw(){let n=c("div","zone",c("strong","","Drop to load"),c("span","","a checkpoint as a .zip")),e=c("div","playground-drop",n,{hidden:!0});return document.body.append(e),e}var Fh,ko,_s,Jh=y(()=>{qs();S();Fh=bw(),ko=null,_s=0;addEventListener("dragenter",Kh(1));addEventListener("dragleave",Kh(-1));addEventListener("dragover",n=>fa(n)&&n.preventDefault());addEventListener("drop",async n=>{if(!fa(n))return;n.preventDefault(),_s=0,Fh.hidden=!0;let e=[...n.dataTransfer?.files??[]];if(!ko||e.length!==1)return $t("Drop only one file.",!0);let t=await xo(e[0],ko.most);t&&ko.kept(t)})});var Je,$n=y(()=>{Je=`/* A heatmap, as \`tile.ts\` draws it, and those of the heads of a tensor, as \`group.ts\` does. */
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
`});var Xh,Yh=y(()=>{Xh=`/* Attention of one of two checkpoints that are compared. */
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
`});var tm={};k(tm,{EASY_CELL:()=>Ye,MIN_CELL:()=>vo,TITLE:()=>Gs,boxOf:()=>Se,cellAt:()=>At,draw:()=>Re,mark:()=>Rt,measure:()=>Xe,newTile:()=>To,paintCells:()=>Eo,place:()=>mt,reveal:()=>Qe,stepped:()=>Qt});function Qt(n,{rows:e,columns:t},o){let s=Cw[n.key];if(!s||n.ctrlKey||n.altKey||n.metaKey)return null;let r=(i,a)=>Math.max(0,Math.min(a-1,i));return o?{row:r(o.row+s[0],e),column:r(o.column+s[1],t)}:{row:0,column:0}}function To(n){let e=c("div","title cut"),t=c("canvas"),o=c("div","marks"),s=c("div","layer",t,o),r=c("div","space",s),i=c("div","scroller",r);i.tabIndex=-1;let a=c("div","tile",e,i,{tabIndex:0,role:"application",ariaRoleDescription:"heatmap"});n.append(a);let l={node:a,title:e,scroller:i,space:r,layer:s,canvas:t,marks:o,lit:[],cells:c("canvas")};return i.addEventListener("scroll",()=>{l.theme&&(Re(l,l.theme),Rt(l,l.lit))},{passive:!0}),l}function Xe(n,e){let{grid:t}=n,o=_e(n.canvas),s=(a,l)=>(o.font=l,Math.ceil(a.reduce((d,m)=>Math.max(d,o.measureText(m).width),0))),r=(a,l)=>Array.from({length:l},(d,m)=>Ne(a,m)),i=t.kind==="tokens"&&t.rows===1;n.rowTicks=r(t.row,t.rows),n.columnTicks=r(i?{...t.column,names:null}:t.column,t.columns),n.cellTexts=t.kind!=="tokens"?null:i?r(t.column,t.columns):Array.from(t.values,String),n.textWidth=n.cellTexts?Math.min(120,s(n.cellTexts,e.text)+14):0,n.rowTickWidth=Math.min(Qh,s(n.rowTicks,e.small)),n.columnTickWidth=Math.min(Qh,s(n.columnTicks,e.small)),n.specialWidth=s(Sw,e.small),n.axes=[t.row.axis&&`${t.row.axis} ↓`,t.column.axis&&`${t.column.axis} →`].filter(Boolean).join("   "),n.least=Math.max(s([n.axes],e.small),Math.min(t.strip?300:160,s([t.title],e.bold)+2)),n.line=e.line}function Se(n,e,t){let{grid:o,room:s=o}=n,r=n.rowTickWidth?n.rowTickWidth+8:0,i=Math.floor((t-r-2)/s.columns),a=Math.max(vo,Math.min(e,i)),l=!!o.column.names&&i<Ye,d=a;l&&(a=n.line-2);let m=Math.max(a,Math.min(e,xw));o.strip?{width:a,height:m}=Lw:o.kind==="tokens"?(a=Math.max(Math.min(a,30),n.textWidth),m=30):s.rows===1&&s.columns===1?(a=88,m=36):(s.rows<=3&&(m=Math.max(m,18)),s.columns<=3&&(a=Math.max(a,18)));let p=!(n.columnTickWidth<=a-2)&&a>=n.line-3,u=n.columnTickWidth?p?n.columnTickWidth+5:n.line:0,f=(n.axes?n.line:0)+u+1,g=o.title?n.line+Gs:0;return{gutter:r,head:f,cellWidth:a,cellHeight:m,turned:p,pans:l,ease:l?d:a,width:r+o.columns*a+2,height:f+o.rows*m+1,tileWidth:Math.min(t,Math.max(r+s.columns*a+2,n.least)),tileHeight:g+f+s.rows*m+1}}function mt(n,e,t,o){n.box=e,n.node.style.width=`${e.tileWidth}px`,n.node.style.minHeight=o?"":`${e.tileHeight}px`,ft(n.space,e.width,e.height),ft(n.layer,0,0),n.scroller.style.maxHeight=o?`${o}px`:"";let s=n.scroller.offsetWidth-n.scroller.clientWidth;s&&(n.node.style.width=`${Math.min(t,e.tileWidth+s)}px`),n.viewport={width:Math.min(e.width,n.scroller.clientWidth),height:Math.min(e.height,n.scroller.clientHeight)},ft(n.layer,n.viewport.width,n.viewport.height),n.marks.style.left=`${e.gutter}px`,n.marks.style.top=`${e.head}px`,ft(n.marks,Math.max(0,n.viewport.width-e.gutter),Math.max(0,n.viewport.height-e.head))}function At(n,e,t){let{grid:o,box:s,scroller:r,layer:i}=n,a=i.getBoundingClientRect();if(e>a.right||t>a.bottom)return null;let l=e-a.left-s.gutter,d=t-a.top-s.head,m=Math.floor((l+r.scrollLeft)/s.cellWidth),h=Math.floor((d+r.scrollTop)/s.cellHeight);return l>=0&&d>=0&&h<o.rows&&m<o.columns?{row:h,column:m}:null}function Qe(n,e,t){let{box:o,viewport:s,scroller:r}=n,i=(d,m,h,p)=>Math.max(Math.min(d,m),m+h-p),{cellWidth:a,cellHeight:l}=o;r.scrollLeft=i(r.scrollLeft,t*a,a,s.width-o.gutter),r.scrollTop=i(r.scrollTop,e*l,l,s.height-o.head)}function Rt(n,e){for(n.lit=e;n.marks.children.length<e.length;)n.marks.append(c("div"));for(;n.marks.children.length>e.length;)n.marks.lastChild?.remove();let{box:t,scroller:o}=n;e.forEach(({name:s,rows:r,columns:i,text:a=""},l)=>{let d=n.marks.children[l];d.className=`mark ${s}`,b(d,a);let m=i[0]*t.cellWidth-o.scrollLeft,h=r[0]*t.cellHeight-o.scrollTop;d.style.transform=`translate(${m}px, ${h}px)`,ft(d,(i[1]-i[0])*t.cellWidth,(r[1]-r[0])*t.cellHeight)})}function Eo(n,e,t=null){n.made=t,n.image=Jt(n.grid,e,o=>em(n,o)),Yt(n.cells,n.image)}function em({made:n,grid:e},t){return!n||n(Math.floor(t/e.columns),t%e.columns)}function Re(n,e){n.theme=e;let{grid:t,box:o,viewport:s,canvas:r,scroller:i}=n,{gutter:a,head:l,cellWidth:d,cellHeight:m}=o,h=devicePixelRatio,p=Math.round(s.width*h),u=Math.round(s.height*h);(r.width!==p||r.height!==u)&&(r.width=p,r.height=u,ft(r,s.width,s.height));let f=_e(r);f.setTransform(h,0,0,h,0,0),f.clearRect(0,0,s.width,s.height);let g=a-i.scrollLeft,w=l-i.scrollTop,v={row:Math.floor((l-w)/m),column:Math.floor((a-g)/d)},L={row:Math.min(t.rows,Math.ceil((s.height-w)/m)),column:Math.min(t.columns,Math.ceil((s.width-g)/d))};f.save(),f.beginPath(),f.rect(a,l,s.width-a,s.height-l),f.clip(),f.imageSmoothingEnabled=!1,f.drawImage(n.cells,g,w,t.columns*d,t.rows*m),Mw(f,n,e,g,w,v,L,h),f.beginPath();let E=($,A,P,N)=>f.rect(Math.round($),Math.round(A),P,N),T=Math.min(d,m)>=10;for(let $=v.row;$<=L.row;$++)(T||$===0||$===t.rows)&&E(g,w+$*m-($?1:0),t.columns*d,1);for(let $=v.column;$<=L.column;$++)(T||$===0||$===t.columns)&&E(g+$*d-($?1:0),w,1,t.rows*m);f.fillStyle=e.lines,f.fill(),f.restore(),$w(f,n,e,g,w,v,L)}function Mw(n,e,t,o,s,r,i,a){let{grid:l}=e,{cellWidth:d,cellHeight:m}=e.box,h=d>=Tw*t.scale&&m>=Ew*t.scale,p=e.cellTexts||l.kind!=="mask"&&h,u=Array(dt+Ct+Mt+1).fill(null);n.font=t.text,n.textAlign="center",n.textBaseline="middle";for(let f=r.row;f<i.row;f++)for(let g=r.column;g<i.column;g++){let w=f*l.columns+g;if(e.made&&!em(e,w))continue;let v=o+g*d,L=s+f*m,E=na(l,w);if(E)(u[E]??=new Path2D).rect(v,L,d,m);else if(p){let T=e.cellTexts?e.cellTexts[w]:hn(l,l.values[w]);n.fillStyle=wo(e.image.data.subarray(4*w,4*w+3)),n.fillText(jn(n,T,d-4),v+d/2,L+m/2+1)}}for(let[f,g]of u.entries())g&&(n.fillStyle=oa(n,t,f,a),n.fill(g))}function Zh(n,e){return[1,2,4,5,8,10,16,20,25,32,50,64].find(o=>o*e>=n)??Math.ceil(n/e)}function $w(n,e,t,o,s,r,i){let{box:a,viewport:l,grid:d}=e,{gutter:m,head:h,cellWidth:p,cellHeight:u}=a;if(n.fillStyle=t.labels,n.font=t.small,n.textBaseline="middle",n.textAlign="left",n.fillText(e.axes,0,e.line/2),e.rowTickWidth){n.textAlign="right";let g=d.rows<=kw&&u>=vw,w=g?1:Zh(e.line-2,u),v=E=>g&&u<e.line-2?E.replace(/[\d.]+px/,`${u}px`):E,L=E=>E%w===0||E===d.marked;for(let E=r.row;E<i.row;E++){let T=s+(E+.5)*u;!L(E)||T<h||!g&&d.marked!==null&&E!==d.marked&&Math.abs(E-d.marked)*u<e.line-2||(n.font=v(E===d.marked?t.strong:t.small),n.fillStyle=E===d.marked?t.ink:t.labels,n.fillText(jn(n,e.rowTicks[E],e.rowTickWidth),m-7,T+.5))}n.font=t.small,n.fillStyle=t.labels}if(d.marked!==null&&d.marked>=r.row&&d.marked<i.row&&m){let g=Math.max(h,s+d.marked*u);n.fillStyle=t.accent,n.fillRect(m-5,g,4,s+(d.marked+1)*u-g),n.fillStyle=t.labels}if(!e.columnTickWidth)return;let f=a.turned?1:Zh(e.columnTickWidth+2,p);for(let g=Math.ceil(r.column/f)*f;g<i.column;g+=f){let w=jn(n,e.columnTicks[g],e.columnTickWidth),v=n.measureText(w).width/2,L=o+(g+.5)*p;L<m||!a.turned&&L+v>l.width+2||(2*v>p-2&&a.turned?(n.save(),n.translate(L,h-4),n.rotate(-Math.PI/2),n.textAlign="left",n.fillText(w,0,0),n.restore()):(n.textAlign="center",n.fillText(w,L,h-e.line/2)))}}var vo,Ye,Gs,xw,kw,vw,Tw,Ew,Lw,Qh,Sw,Cw,Ot=y(()=>{Le();S();vo=4,Ye=8,Gs=4,xw=12,kw=17,vw=8,Tw=34,Ew=16,Lw={width:46,height:20},Qh=72,Sw=["PAD","BOS","EOS","SEP"],Cw={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]}});var om={};k(om,{Group:()=>ye,headName:()=>Lo,headsOf:()=>We});function We({heads:n}){return Array.from({length:n?.count??1},(e,t)=>(n?.first??0)+t)}function Lo({heads:n},e){return`${n?.axis==="G"?"key head":"head"} ${e+1}`}function Aw(n,e,t,o){let{rows:s,columns:r,cells:i,kind:a}=n,l=(e-(n.heads?.first??0))*i,d=(t&&n.slopes||n.values).subarray(l,l+i),m=n.hidden>1?l:0,h=o?Lo(n,e):"";return{tensor:n,head:e,slope:t,values:d,hidden:n.causes&&!t?n.causes.subarray(m,m+i):null,kind:t?"signed":a,whole:n.whole&&!t,title:t?`gradient${h&&`, ${h}`}`:h||(n.slopes?"number":""),rows:s.count,columns:r.count,row:s,column:r,marked:n.marked,most:t?n.slope:n.scale,coloured:i>1}}function nm(n,e,t,o){let s=e?mn(n,e,t):"";if(!e||!s)return[];let r=(a,l,d)=>{let m=l<0||l>=e.size;return x("",a,()=>o.go?.({[n]:l}),{ariaLabel:`${n} ${d}`,disabled:m})},i=o[n]??e.count;return[r("«",e.first-i,"back"),c("span","range",s),r("»",e.first+i,"onward")]}var ye,Zt=y(()=>{Ot();ce();S();ye=class{letter=c("span","letter",{ariaHidden:"true"});title=c("span","name");remark=c("span","note");folds=c("span","folds");flow=c("div","flow");lineEnd=c("div","line-end");head=c("div","heading wrap",this.letter,this.title,this.remark,this.folds);node=c("div","group",this.head,this.flow);tensor;pointer=null;keyed=null;keys="Arrow keys move, Enter locks.";note="";least=0;heading=0;placed="";tiles=[];grids=[];broken=0;constructor(e){e.append(this.node)}remove(){this.node.remove()}fill(e,t,o,s,r){this.tensor=e;let i=t.length>1,a=e.heads&&!i;for(this.note=e.heads&&a?`${Lo(e,t[0])} of ${e.heads.size}`:"",this.grids=[!1,!0].filter(l=>!l||e.slopes).flatMap(l=>t.map(d=>Aw(e,d,l,i))),this.broken=i&&e.slopes?t.length:0;this.tiles.length<this.grids.length;)this.add();for(;this.tiles.length>this.grids.length;)this.tiles.pop()?.node.remove();this.lineEnd.remove(),this.broken&&this.tiles[this.broken].node.before(this.lineEnd),this.letter.hidden=!e.role,e.role&&([this.letter.textContent,this.letter.style.background]=e.role),this.title.textContent=e.title,this.remark.textContent=this.note,this.folds.replaceChildren(...a?[]:nm("heads",e.heads,1,o),...nm("columns",e.columns,0,o)),this.tiles.forEach((l,d)=>{let m=this.grids[d];l.grid=m,l.title.textContent=l.title.title=m.title,l.title.hidden=!m.title;let h=[e.title,this.note,m.title].filter(Boolean).join(", ");l.node.setAttribute("aria-label",`${qn(h,m)} ${this.keys}`)}),this.paint(s,r)}add(){let e=To(this.flow);this.tiles.push(e),e.scroller.addEventListener("scroll",()=>{let{scrollLeft:t,scrollTop:o}=e.scroller;for(let{scroller:s}of this.tiles)s!==e.scroller&&Object.assign(s,{scrollLeft:t,scrollTop:o})},{passive:!0})}listen(e,t){let o=c("div","unseen",{ariaLive:"polite"});this.node.append(o),this.keys="Arrow keys move.";let s=r=>{this.pointer=r.type==="pointerleave"?null:r,this.keyed=null,t()};e.addEventListener("pointermove",s),e.addEventListener("pointerdown",s),e.addEventListener("pointerleave",r=>r.pointerType!=="touch"&&s(r)),e.addEventListener("keydown",r=>{let i=this.tiles.find(({node:l})=>l===r.target),a=i?.box&&Qt(r,i.grid,this.keyed?.tile===i?this.keyed:null);a&&(le(r),this.keyed={tile:i,...a},Qe(i,a.row,a.column),t(),o.textContent=this.words())}),e.addEventListener("focusout",()=>{this.keyed&&(this.keyed=null,t())})}words(e=": "){let t=this.pointer,o="";for(let s of this.tiles){let r=t&&s.box?At(s,t.clientX,t.clientY):null,i=this.keyed?this.keyed.tile===s&&this.keyed:r;if(Rt(s,i?[{name:"cell",rows:[i.row,i.row+1],columns:[i.column,i.column+1]}]:[]),!i)continue;let{grid:a}=s;o=`${[a.title,Ge("row",a.row,i.row),Ge("column",a.column,i.column)].filter(Boolean).join(", ")}${e}${et(a,i.row*a.columns+i.column)}`}return o}paint(e,t){for(let o of this.tiles){let{head:s,slope:r}=o.grid;Eo(o,e,t?.slope===r?(i,a)=>t.cell(s,i,a):null)}}}});var cm={};k(cm,{fit:()=>So,fitHeads:()=>Co,fitSlide:()=>xa,layOut:()=>ka});function So(n,e,t,o){for(let r of n.tiles)Xe(r,o);let s=im;for(;s>vo&&An(va(n,s,e),e).height+n.head.offsetHeight>t;)s--;for(let r of n.tiles)mt(r,Se(r,s,e),e,0),Re(r,o)}function xa(n,e,t,o){for(let a of n.flatMap(({tiles:l})=>l))Xe(a,o);let s={cell:0,room:e};for(let a=1;a<=n.length;a++){let l=Math.floor((e-(a-1)*zw)/a),d=Math.ceil(n.length/a),m=(t-(d-1)*en)/d,h=({tiles:u,head:f,node:g},w)=>{if(u.some(L=>Se(L,w,l).ease<w))return!1;let v=Math.max(0,...[...g.querySelectorAll(".foot")].map(L=>L.offsetHeight));return An(u.map(L=>Bw(Se(L,w,l),v)),l).height+f.offsetHeight<=m},p=Math.round(Rw*o.scale);for(;p>s.cell&&!n.every(u=>h(u,p));)p--;p>s.cell&&(s={cell:p,room:l})}let{cell:r,room:i}=s.cell<Ye*o.scale?{cell:ya*o.scale,room:e}:s;for(let{node:a,tiles:l}of n){a.style.width=`${i}px`;for(let d of l)mt(d,Se(d,r,i),i,0),Re(d,o)}}function Bw({tileWidth:n,tileHeight:e},t){return{width:n,height:e+t}}function Co(n,e,{width:t,height:o,most:s,across:r=1/0}){let{tiles:i}=n;for(let f of i)Xe(f,e);let a=f=>Math.min(r,i.length,Math.max(1,Math.floor((t+en)/(f+en)))),l=s,d=1,m=t,h=0;for(;i.length;l--){let{tileWidth:f,tileHeight:g}=Se(i[0],l,t);d=a(f);let w=Math.ceil(i.length/d)*(g+en/2)-en/2;if(o!==void 0?w<=o:d===Math.min(r,i.length))break;if(l>vo)continue;if(o===void 0||!i[0].grid.column.names)break;d=a(rm*e.scale),m=Math.floor((t-(d-1)*en)/d);let v=Math.ceil(i.length/d);h=Math.max(rm*e.scale,(o-(v-1)*en/2)/v)-i[0].line-Gs,l=ya*e.scale;break}let p=i.map(f=>Se(f,l,m)),u=JSON.stringify([m,d,h,p]);n.node.classList.add("heads-alone"),n.flow.style.setProperty("--across",String(d)),i.forEach((f,g)=>{u!==n.placed&&mt(f,p[g],m,p[g].height>h?h:0),Re(f,e)}),n.placed=u}function ka({sides:n,arrow:e,inputs:t,outputs:o},s,r,i,a,l,d,m){for(let p of[...s,r]){for(let u of p.tiles)Xe(u,m),Ww(u,l&&u.room||{},d);p.head.style.width=p.node.style.width="max-content",p.least=p.head.offsetWidth,p.heading=p.head.offsetHeight,p.head.style.width=""}let h=Uw(s,[r],i,a);n.classList.toggle("beside",h.beside),e.style.flexBasis=e.style.height=`${ba()}px`;for(let[p,u,f]of[[t,s,h.inputs],[o,[r],h.outputs]]){p.style.width=`${f}px`;for(let g of u){g.node.style.width=`${jw(g,h.cell,f)}px`;for(let w of g.tiles){let v=Se(w,h.cell,f);mt(w,v,f,wa(v)),Re(w,m)}}}}function Ww(n,e,t){let{row:o,column:s,rows:r,columns:i}=n.grid,a=(l,d,m)=>Math.max(l,m??0,t[d.axis]?n.specialWidth:0);n.rowTickWidth=a(n.rowTickWidth,o,e.rowTickWidth),n.columnTickWidth=a(n.columnTickWidth,s,e.columnTickWidth),n.room={rows:Math.max(r,e.rows??0,t[o.axis]??0),columns:Math.max(i,e.columns??0,t[s.axis]??0),rowTickWidth:n.rowTickWidth,columnTickWidth:n.columnTickWidth}}function Uw(n,e,t,o){let r=lm()||1,i=t<sm,a=i&&[...n,...e].some(({broken:T})=>T>0)?2:1,l=(i?am:Hw).map(T=>T*r*a),d=l.map(T=>[T,Ye]);i||d.unshift(...o.map(T=>[T,Ye]));let m=[];for(let T=Math.round(im*r);T>=Ye;T--)m.push(g(n,e,t,T),w(n,e,t,T));let h=(T,$)=>m.filter(A=>A!==null).filter(A=>A.height<=T&&A.cell>=$).sort((A,P)=>P.ease-A.ease||A.height-P.height)[0],p=T=>Math.min(ya,T.ease),u=h(1/0,Ye);return d.map(T=>h(...T)).find(T=>T&&p(T)>=Ow*p(u))??h(l[1],Ye)??g(n,e,t,Ye);function g(T,$,A,P){let N=L(T,P,A).height+L($,P,A).height+(T.length?ba():0);return{cell:P,beside:!1,inputs:A,outputs:A,height:N,ease:v(P,[T,A],[$,A])}}function w(T,$,A,P){if(!T.length||A<sm)return null;let N=L(T,P,.45*A).width,O=A-N-ba(),xe=Math.max(L(T,P,N).height,L($,P,O).height);return $.every(dn=>E(dn,P,O).width<=O)?{cell:P,beside:!0,inputs:N,outputs:O,height:xe,ease:v(P,[T,N],[$,O])}:null}function v(T,...$){let A=$.flatMap(([P,N])=>P.map(O=>Math.min(Nw*r,Se(O.tiles[0],T,N).ease)));return A.reduce((P,N)=>P+N,0)/A.length}function L(T,$,A){return An(T.map(P=>E(P,$,A)),A)}function E(T,$,A){let P=An(va(T,$,A),A);return{width:Math.max(P.width,Math.min(A,T.least)),height:P.height+T.heading}}}function lm(){return Number(document.documentElement.style.getPropertyValue("--present-scale"))}function jw(n,e,t){let o=va(n,e,t),{width:s,height:r}=An(o,t),i=Math.max(...o.map(l=>l.width)),a=s;for(;a-Fs>=i&&An(o,a-Fs).height===r;)a-=Fs;return Math.min(t,Math.max(a,n.least))}function wa(n){let e=Math.min(ga,Math.round(Pw*innerHeight));return n.pans?n.height>e?e:0:n.height>Math.max(...am)||n.height>ga+240?ga:0}function va(n,e,t){return n.tiles.map((o,s)=>{let r=Se(o,e,t),i=wa(r)?r.height-wa(r):0;return{width:r.tileWidth,height:r.tileHeight-i,starts:n.broken>0&&s===n.broken}})}function An(n,e){let[t,o,s,r]=[0,0,0,0];for(let i of n)t&&(i.starts||t+i.width>e)&&(r+=o+Iw,t=o=0),t+=i.width,s=Math.max(s,t),o=Math.max(o,i.height),t+=Fs;return{width:s,height:r+o}}var im,Rw,ya,Ow,Nw,Hw,am,sm,ga,Pw,rm,zw,en,Fs,Iw,Dw,ba,tn=y(()=>{Ot();im=44,Rw=90,ya=14,Ow=.75,Nw=28,Hw=[600,800],am=[800,1200],sm=600,ga=560,Pw=.6,rm=160,zw=32,en=16,Fs=20,Iw=12,Dw=36,ba=()=>Dw*(lm()||1)});var dm={};k(dm,{default:()=>_w});var qw,_w,Ta,hm=y(()=>{j();$n();Yh();bo();Le();Zt();tn();I();S();qw=30,_w=C([R,Je,Xh],n=>new Ta(n),(n,{data:e})=>{n.dress(),n.ask(e)}),Ta=class{root;theme;plot=c("div","plot");readout=c("div","readout"," ",{role:"status"});box=c("div","box",this.plot,this.readout);group=new ye(this.plot);observer=new ResizeObserver(()=>this.layout());shown=null;asked=null;constructor(e){this.root=e,this.theme=F(e),e.append(this.box),this.group.listen(this.plot,()=>this.shown&&b(this.readout,this.group.words()||" ")),this.observer.observe(this.box)}close(){this.observer.disconnect(),this.asked="",this.box.remove()}dress(){this.theme=F(this.root),this.shown&&this.group.paint(this.theme,null),this.layout()}async ask({name:e,stamp:t,input:o}){let s=JSON.stringify([e,t,o]);if(s===this.asked)return;this.asked=s;let{tensor:r,problem:i,later:a}=await Vt(e,{stamp:t,input:o},()=>this.asked===s);this.asked===s&&(a&&(this.asked=null),this.plot.hidden=!r,this.shown=r,this.readout.textContent=r?" ":i||"Server not responding. Change the input to try again.",r&&(this.group.fill(r,We(r),{},this.theme,null),this.layout()))}layout(){let e=this.box.clientWidth;!e||!this.shown||Co(this.group,this.theme,{width:e,most:Math.round(qw*this.theme.scale),across:e<420?2:4})}}});var mm={};k(mm,{default:()=>Gw});function Fw(n){let e=c("div","outcome",{role:"status"});return n.append(e),{show({unchanged:t,changed:o}){b(e,o&&`Exact match: unchanged ${t} → changed ${o}`)},close:()=>e.remove()}}var Gw,pm=y(()=>{j();I();S();Gw=C([R],Fw,(n,{data:e})=>n.show(e))});var he,pt=y(()=>{he=`/* In force before anything is drawn, so that nothing moves when it arrives. */
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
/* The buttons of a chart are seen where the focus is, as under the pointer. */
[data-testid=stElementToolbar]:focus-within { opacity: 1; }
[data-testid=stElementToolbar] button:focus-visible { outline: 2px solid currentColor; outline-offset: -2px; }
.stTabs [role=tab] p { margin: 0 !important; } /* one line, also with the reader's own paragraph spacing */
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
.st-key-form :is([role=tabpanel] > .stVerticalBlock, .stExpander .stVerticalBlock) { display: grid; align-items: start;
  grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); }
.st-key-form :is([role=tabpanel] > .stVerticalBlock, .stExpander .stVerticalBlock) > :is([data-testid=stLayoutWrapper], .stElementContainer:has(> :is(.stHtml, .stTextArea)))
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
.stHorizontalBlock[class*=st-key-transition-] { display: grid; grid-template-columns: minmax(0, 1fr) 10rem; gap: .2rem 1rem; align-items: center; }
[class*=st-key-transition-] > .stElementContainer { width: 100%; }
[class*=st-key-over-steps] { height: 18rem; }
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
  :is([aria-label=Contributions], [aria-label="Cost by part"]) .examples td:first-child { white-space: normal; }
  .tests-table table.examples td:first-child { font-size: max(.8rem, var(--least, 0px)); padding-right: .3rem; white-space: normal; }
  .tests-table table.examples :is(td, th):not(:first-child) { font-size: max(.75rem, var(--least, 0px)); min-width: .95rem; padding-inline: 0; }
  .st-key-more > * { flex: none; }
  .stHorizontalBlock[class*=st-key-transition-] { grid-template-columns: minmax(0, 1fr); }
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
/* The bar of a room, see room.css: the page ends above it. */
:root[data-room]:not([data-present]) .stMain.stMain { height: auto; bottom: calc(var(--bar, 0px) + var(--room, 0px) + env(safe-area-inset-bottom)); }
[data-present][data-asks] { --asked: var(--room); }
[data-present][data-asks] .stMain.stMain { height: auto; bottom: var(--asked); }
[data-room] .st-key-dock.st-key-dock { bottom: calc(var(--corner, 1rem) + var(--room, 0px)); }
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
[data-slide] :is(.st-key-attribution, .st-key-kept-circuit) { --map-height: calc(100dvh - 13rem); }
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
[data-slide] { --panel-height: calc(100dvh - 8rem - var(--asked, 0px)); }
[data-slide=slow] .st-key-slow { --slow-height: calc(100dvh - 13rem); }
[data-parts~=slide-progress] { --panel-height: calc(100dvh - 11rem - var(--asked, 0px)); }
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
.lesson-row h2 { font-size: 1.05rem; padding: 0; margin: 0; }
.lesson-title h2 { font-size: 1.6rem; padding: 0 0 .2rem; margin: 0; }
.predict { scroll-margin-top: 4.5rem; display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem; }
.ask-room { font: inherit; font-size: max(.85rem, var(--least, 0px)); min-height: 1.75rem; padding: .1rem .6rem; color: inherit; cursor: pointer;
  border: 1px solid color-mix(in srgb, currentColor 45%, transparent); border-radius: .4rem; background: none; }
.ask-room:is(:hover, :focus-visible) { outline: 2px solid currentColor; outline-offset: 1px; }
html:not([data-room=host]) .ask-room { display: none; }
[data-present]:not([data-moved]) .ask-room:not(:focus-visible) { visibility: hidden; }
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
`});var fm,um=y(()=>{fm=`/* One row for each sublayer, its heads as buttons. */
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
`});var gm={};k(gm,{default:()=>Jw});var Jw,Ea,bm=y(()=>{pt();j();um();nt();I();S();Jw=C([he,R,fm],n=>new Ea(n),(n,{data:e,setStateValue:t})=>{n.acts.adopt(e,o=>t("acts",o)),n.show(e)}),Ea=class{box;acts=new oe;buttons=new Map;structure="";adds="";constructor(e){this.box=e.querySelector(".switches")}close(){this.acts.release(),this.box.replaceChildren(),this.structure=""}show({rows:e,adds:t}){this.adds=t;let o=JSON.stringify(e.map(({label:r,parts:i})=>[r,i.map(({site:a})=>a)]));o!==this.structure&&this.build(e),this.structure=o;let s=new Set(this.acts.pending.map(([,,r])=>r));for(let r of e.flatMap(({parts:i})=>i))s.has(r.site)||this.mark(r.site,r.mark)}build(e){this.buttons.clear();let t=e.map(({label:s,parts:r})=>{let i=c("th","small",s,{scope:"row"}),a=r.map(l=>{let d={ariaLabel:l.words,title:l.words},m=x("part",c("span","",l.label),()=>this.press(l.site),d);return this.buttons.set(l.site,m),m});return c("tr","",i,c("td","",...a))}),o=c("table","",c("caption","unseen","Parts of the model"),c("tbody","",...t));this.box.replaceChildren(o)}press(e){let t=this.buttons.get(e)?.getAttribute("aria-pressed")==="true";this.mark(e,t?"":this.adds),this.acts.add("switch",e)}mark(e,t){let o=this.buttons.get(e);o.ariaPressed=`${t!==""}`,o.setAttribute("aria-description",t),o.dataset.mark=t}}});var ym,wm=y(()=>{ym=`/* Kept prefixes are filled, dropped ones dashed, and the path to the answer is thick. */
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
`});var km={};k(km,{default:()=>Zw});function Rn(n,e){return[xm+n*Xw,Sa+e*Qw]}function ey(n,e,{parent:t,kind:o}){let[s,r]=n?Rn(n-1,t):[xm-Ks-16,Sa],[i,a]=Rn(n,e),l=s+Ks,[d,m,h]=[r+On/2,a+On/2,(l+i)/2];return B("path",{class:`line ${o}`,d:`M${l} ${d}C${h} ${d} ${h} ${m} ${i} ${m}`})}function ty(n,e,{kind:t,label:o,sum:s,description:r}){let[i,a]=Rn(n,e),l=a+On/2+4;return B("g",{class:`leaf ${t}`},B("title",{},r),B("rect",{x:i,y:a,width:Ks,height:On,rx:6}),B("text",{class:"token",x:i+7,y:l},pe(o)),B("text",{class:"sum",x:i+Ks-6,y:l},s))}var Xw,Qw,Ks,On,xm,Sa,Zw,La,vm=y(()=>{j();wm();I();S();Xw=112,Qw=32,Ks=92,On=26,xm=56,Sa=26,Zw=C([R,ym],n=>new La(n),(n,{data:e})=>n.show(e));La=class{box;constructor(e){this.box=e.querySelector(".beam-tree"),Object.assign(this.box,{tabIndex:0,role:"region",ariaLabel:"Tree of beam search"})}close(){this.box.replaceChildren()}show({columns:e,description:t}){let o=Math.max(...e.map(({nodes:m,more:h})=>m.length+(h?1:0))),[s,r]=Rn(e.length,o),i={width:`${s/16}rem`,height:`${r/16}rem`,viewBox:`0 0 ${s} ${r}`},a=B("svg",{role:"img","aria-label":t,...i}),l=B("g",{});a.append(l,B("text",{class:"head",x:4,y:Sa+On/2+4},"start")),e.forEach(({nodes:m,more:h},p)=>{a.append(B("text",{class:"head",x:Rn(p,0)[0],y:16},`Round ${p+1}`)),m.forEach((g,w)=>{l.append(ey(p,w,g)),a.append(ty(p,w,g))});let[u,f]=Rn(p,m.length);h&&a.append(B("text",{class:"head",x:u,y:f+On/2+4},`${h} more dropped`))});let d=this.box.scrollLeft;this.box.replaceChildren(c("div","inside",a)),this.box.scrollLeft=d}}});var Em,Tm=y(()=>{Em=`/* An answer, and below it a row for each token of the vocabulary. */
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
`});var Sm={};k(Sm,{default:()=>ry});var oy,Lm,sy,Mo,ry,Ca,Cm=y(()=>{pt();j();Tm();nt();ce();I();S();oy=900,Lm="Play tokens",sy={ArrowRight:"next",ArrowLeft:"undo",p:"play",End:"finish",Home:"restart"},Mo=null;document.addEventListener("keydown",n=>{if(!Mo?.root.isConnected||!te(n))return;let e=sy[$e(n)];e&&(n.preventDefault(),(!n.repeat||e==="next"||e==="undo")&&Mo.act(e))});ry=C([he,R,Em],n=>new Ca(n),(n,{data:e,setStateValue:t})=>{Mo=n,n.show(e),n.acts.adopt(e,o=>t("acts",o))}),Ca=class{root;undo=this.tool("Undo","undo","ArrowLeft");next=this.tool("Next token","next","ArrowRight");play=this.tool(Lm,"play","P");finish=this.tool("Finish","finish","End");restart=this.tool("Start over","restart","Home");tools=c("div","tools wrap",this.undo,this.next,this.play,this.finish,this.restart);answer=c("ol","answer wrap",{ariaLabel:"Answer so far"});announcement=c("div","announcement",{role:"status"});heads=c("div","bar heads small soft",{ariaHidden:"true"});bars=c("ol","bars",{ariaLabel:"Probabilities of the token"});more=c("div","small soft");parts=[this.answer,this.tools,this.announcement,this.heads,this.bars,this.more];acts=new oe;data;timer=0;playing=!1;constructor(e){this.root=e,e.querySelector(".generation")?.append(...this.parts)}tool(e,t,o){return x("small-button",e,()=>this.act(t),{ariaKeyShortcuts:o})}close(){this.pause(),this.acts.release();for(let e of this.parts)e.remove();Mo===this&&(Mo=null)}act(e){if(e==="play")return this.playing?this.pause():this.begin();this.pause(),!((e==="next"||e==="finish")&&this.data.complete)&&((e==="undo"||e==="restart")&&!this.data.answer.length||(e==="restart"?this.acts.add("back","",0):this.acts.add(e)))}begin(){this.data.complete&&this.acts.add("back","",0),this.playing=!0,b(this.play,"Pause tokens"),this.tick()}pause(){clearTimeout(this.timer),this.playing=!1,b(this.play,Lm)}tick(){clearTimeout(this.timer),this.timer=setTimeout(()=>{if(!this.root.isConnected)return this.pause();if(this.acts.pending.length)return this.tick();if(this.data.complete)return this.pause();this.acts.add("next"),this.tick()},oy)}show(e){this.data=e;let{answer:t,complete:o,ended:s,position:r,sampled:i}=e;this.undo.disabled=this.restart.disabled=!t.length,this.next.disabled=this.finish.disabled=o;let a=t.map((u,f)=>this.token(u,f)),l=a.length!==this.answer.querySelectorAll("button").length;me(this.answer,a.length?a:[c("li","soft","No tokens yet")]),l&&(this.answer.scrollTop=this.answer.scrollHeight);let d=e.bars.find(({id:u})=>u===e.chosen),m=i?`sampling probability ${W(d?.drawn??0)}`:W(d?.probability??0),h=`token ${r+1}, “${pe(d?.label??"")}” (${m})`;b(this.announcement,s?`The answer is complete: ${h} ends it.`:o?`The answer has reached its maximum length. It ends with ${h}.`:`Next: ${h}. Click another token to use it instead.`);let p=["token","probability, 0 to 100 %","",...i?["sampling probability",""]:[]].map(u=>c("span","",u));this.heads.replaceChildren(...p),this.heads.classList.toggle("sampled",i),this.bars.replaceChildren(...e.bars.map(u=>this.bar(u))),b(this.more,e.more?`${e.more} more tokens have ${W(e.rest)} together.`:"")}token({label:e,forced:t,probability:o},s){let r=c("span","",pe(e)),i=`${pe(e)}, token ${s+1}, ${W(o)}${t?", forced":""}`,a=x(`tok${t?" forced":""}`,r,()=>{this.pause(),this.acts.add("back","",s)},{ariaLabel:`${i}. Remove it and all later tokens`,title:`${i}. Click to remove it and all later tokens.`});return c("li","",a,c("span","small soft",t?"forced":W(o)))}bar({id:e,label:t,probability:o,drawn:s,cut:r}){let{chosen:i,position:a,sampled:l}=this.data,d=(f,g)=>{let w=c("span",`track ${g}`);return w.style.setProperty("--high",`${100*f}%`),w},m=f=>c("span","unseen",f),h=[m("Force "),c("span","tok",pe(t)),d(o,r&&"cut")];h.push(m(": probability "),c("span","",W(o))),l&&(h.push(d(s,"drawn"),m(r?", ":", sampling probability ")),h.push(c("span",r?"soft":"",r?`cut by ${r}`:W(s))));let p=c("span",`bar${l?" sampled":""}`,...h),u=x("choice",p,()=>{this.pause(),this.acts.add("force","",[a,e])},{ariaCurrent:e===i?"true":null});return c("li","",u)}}});var $m,Mm=y(()=>{$m=`/* The KV cache: a row for each kind of attention, and a pair of bars for each token. */
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
`});var Om={};k(Om,{default:()=>ay});function Am({tokens:n},e){let t=e<n.length?`${n.length-e} computed${e?`, ${e} kept`:""}`:`all ${e} kept`,o=n.map((s,r)=>c("span",`cell${r<e?"":" new"}`,pe(s)));return c("div","cache-strip",c("div","cells",...o),c("div","small soft",t))}function Rm(n,e){let t=c("i",n);return t.style.height=`${100*e}%`,t}var ay,Ma,Nm=y(()=>{j();Mm();I();S();ay=C([R,$m],n=>new Ma(n),(n,{data:e})=>n.show(e)),Ma=class{summary=c("p","small");rows=c("div","cache-rows");costs=c("div","cache-costs",{role:"img"});top=c("div","small soft");total=c("p","small");notes=c("div","");constructor(e){e.querySelector(".cache")?.replaceChildren(c("h2","","KV cache"),this.summary,this.rows,c("p","small",c("span","swatch new"),"computed for this token ",c("span","swatch"),"kept from earlier tokens"),this.notes,c("h3","","Multiplications for each token, in decoder and output layer"),this.top,this.costs,c("p","small",c("span","swatch with"),"with a KV cache ",c("span","swatch without"),"without one"),this.total)}close(){}show({possible:e,rows:t,layers:o,what:s,bytes:r,notes:i,cost:[a=[],l=[]]}){let d=o>1?`Each of the ${o} decoder layers`:"The decoder layer";this.summary.textContent=e?`${d} keeps ${s}, for every position below: ${U(r)} bytes in all.`:"This model can't use a KV cache: without a causal mask, each new token changes the keys and values of earlier positions.",this.rows.replaceChildren(c("span",""),c("span","small soft","with a KV cache"),c("span","small soft","without one"),...t.flatMap(u=>[c("span","small",u.name),Am(u,u.kept),Am(u,0)])),this.notes.replaceChildren(...i.map(u=>c("p","small",u)));let m=Math.max(...l);this.top.textContent=`Height of the bars: 0 to ${U(m)}`,this.costs.style.setProperty("--tokens",String(l.length)),this.costs.replaceChildren(...l.map((u,f)=>{let g=c("span","pair",Rm("with",a[f]/m),Rm("without",u/m));return g.title=`Token ${f+1}: ${U(a[f])} with a KV cache, ${U(u)} without`,g}));let[h,p]=[a,l].map(u=>u.reduce((f,g)=>f+g,0));this.total.textContent=`${l.length>1?`Tokens 1 to ${l.length} together, with the next one`:"Token 1"}: ${U(h)} with a KV cache, ${U(p)} without one`+(p>h?`, ${(p/h).toFixed(1)} times as many.`:"."),this.costs.ariaLabel=`The last token takes ${W(a[l.length-1]/l[l.length-1])} of the multiplications that it takes without a KV cache.`}}});var Pm,Hm=y(()=>{Pm=`textarea {
  background: color-mix(in srgb, currentColor 5%, transparent);
  border: 1px solid color-mix(in srgb, currentColor 22%, transparent);
  border-radius: 0.5rem;
  box-sizing: border-box;
  color: inherit;
  display: block;
  font: max(0.85rem, var(--least, 0px)) / 1.5 var(--st-code-font, monospace);
  margin-bottom: 0.5rem;
  overflow-wrap: anywhere;
  padding: 0.4rem 0.6rem;
  resize: none;
  width: 100%;
  word-break: break-all;
}
textarea:focus-visible {
  outline: 2px solid currentColor;
  outline-offset: 1px;
}
.short textarea {
  font-size: 1.6rem;
  letter-spacing: 0.05em;
  width: 13em;
  max-width: 100%;
}
.wrap {
  align-items: center;
  gap: 0.3rem 0.75rem;
}
`});var zm={};k(zm,{default:()=>cy});var cy,$a,Im=y(()=>{j();Hm();I();S();cy=C([R,Pm],n=>new $a(n),(n,{data:e})=>n.show(e)),$a=class{field=c("textarea","",{readOnly:!0,rows:1});act=x("","",()=>this.copy());state=c("span","soft",{role:"status"});box=c("div","box",this.field,c("div","wrap large",this.act,this.state));constructor(e){e.querySelector(".copied-text")?.replaceChildren(this.box),this.field.addEventListener("focus",()=>this.field.select())}show({label:e,action:t,text:o,large:s}){this.field.value!==o&&b(this.state,""),this.field.ariaLabel=e,this.field.value=o,this.field.rows=Math.min(8,Math.ceil(o.length/44))||1,this.box.classList.toggle("short",s),b(this.act,t)}async copy(){try{await navigator.clipboard.writeText(this.field.value),b(this.state,"Copied.")}catch{this.field.select(),b(this.state,"Press Ctrl+C to copy.")}}close(){}}});var Vs,Aa=y(()=>{Vs=`.zone {
  align-items: center;
  border: 1px dashed transparent;
  border-radius: 0.5rem;
  gap: 0.3rem 0.75rem;
}
.zone.over {
  border-color: var(--st-primary-color);
}
`});var Dm={};k(Dm,{default:()=>hy});var hy,Ra,Bm=y(()=>{j();Aa();I();S();hy=C([R,Vs],n=>new Ra(n),(n,{data:e,setTriggerValue:t})=>{n.allowed=e,n.tell=o=>t("batch",o)}),Ra=class{allowed;tell;ended=new AbortController;input=Ze(".json,.zip",e=>this.take(e));choose=x("","Choose receipts",()=>this.input.click());state=c("span","soft",{role:"status"});zone;constructor(e){this.input.multiple=!0,this.input.ariaLabel="Receipts",this.zone=c("div","zone wrap large",this.choose,this.input,this.state),e.querySelector(".receipts")?.replaceChildren(this.zone),this.say("or drop them on this page, also as a .zip");for(let t of["dragenter","dragover","dragleave","drop"])addEventListener(t,o=>this.drag(o),{capture:!0,signal:this.ended.signal})}say(e){b(this.state,e)}drag(e){[...e.dataTransfer?.types??[]].includes("Files")&&(e.preventDefault(),e.stopImmediatePropagation(),this.zone.classList.toggle("over",e.type==="dragenter"||e.type==="dragover"),e.type==="drop"&&this.take([...e.dataTransfer?.files??[]]))}async take(e){if(!e.length||this.choose.disabled)return;let{each:t,bytes:o,tooMany:s}=this.allowed,r=e.map(l=>/\.zip$/i.test(l.name)?l:l.slice(0,t+1)),i=r.reduce((l,{size:d})=>l+d,0);if(e.length>this.allowed.files||i>o)return this.say(s);let a=JSON.stringify(e.map(({name:l},d)=>[l.slice(0,300),r[d].size]));this.choose.disabled=!0,this.say(`Sending ${e.length} ${e.length===1?"file":"files"} …`);try{let l=new Blob([a,`
`,...r]),d=await fetch(new URL("./receipts",document.baseURI),{method:"POST",body:l}),{batch:m,problem:h}=await d.json();this.say(m?"or drop more of them on this page":h||"The server refused the files. Try again."),m&&this.tell(m)}catch{this.say("The files did not reach the server. Check your connection and try again.")}finally{this.choose.disabled=!1}}close(){this.ended.abort()}}});var Wm={};k(Wm,{default:()=>my});var my,Oa,Um=y(()=>{Z();I();my=C([],n=>new Oa(n),(n,{data:e})=>n.show(e)),Oa=class{host;shown=null;constructor(e){this.host=e.host??e,this.host.style.scrollMarginTop="6rem"}show({shown:e}){let t=this.shown!==null&&this.shown!==e;this.shown=e,t&&this.host.getBoundingClientRect().top<0&&this.host.scrollIntoView({behavior:Y()?"auto":"smooth"})}close(){}}});var qm,jm=y(()=>{qm=`/* Formula, statement and tensor side by side; below each other where it is narrow. */
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
`});var Js,Na=y(()=>{Js=`.picture {
  border: 1px solid var(--st-border-color);
  image-rendering: pixelated;
  margin-top: 0.3rem;
}
`});var _m={};k(_m,{picture:()=>Nn});function Nn(n,e,{head:t=0,long:o=fy,most:s=0,label:r=""}={}){let{rows:{count:i},columns:{count:a},cells:l,values:d,kind:m}=n,h=Array.from(d).reduce((w,v)=>Number.isFinite(v)?Math.max(w,Math.abs(v)):w,0),p={kind:m==="tokens"?"signed":m,coloured:!0,most:s||h||1},u=d.subarray(t*l,(t+1)*l),f=Yt(c("canvas","picture"),Jt({...p,rows:i,columns:a,values:u},e)),g=Math.min(gy,o/Math.max(i,a));return f.style.width=`${a*g}px`,f.style.height=`${Math.max(3,i*g)}px`,Object.assign(f,r?{role:"img",ariaLabel:r}:{ariaHidden:"true"})}var fy,gy,Ys=y(()=>{Le();S();fy=180,gy=10});var Gm={};k(Gm,{default:()=>by,head:()=>wy,symbols:()=>yy});function wy({data:n,parentElement:e}){fe(e,Pa);let{tensors:t,names:o}=ee(n),s=F(e);e.querySelector(".one-head").replaceChildren(...t.map((i,a)=>c("figure","",c("figcaption","",$o("name",o[a]),` (${i.rows.size}, ${i.columns.size})`),Nn(i,s))))}function yy({data:n,parentElement:e}){fe(e,Pa),e.querySelector(".symbols").replaceChildren($o("",n.table))}function $o(n,e){let t=c("div",n);return t.innerHTML=e,t}var Pa,by,Ha,Fm=y(()=>{pt();j();jm();Na();Le();Ve();I();Z();S();Ys();Pa=[he,R,Js,qm],by=C(Pa,n=>new Ha(n),(n,{data:e,setTriggerValue:t})=>{n.open=o=>t("open",o),n.show(ee(e))});Ha=class{root;list;sizes=new ResizeObserver(()=>this.reach());open=()=>{};constructor(e){this.root=e,this.list=e.querySelector(".formula-rows"),this.sizes.observe(this.list)}reach(){this.list.querySelectorAll(".formula").forEach((e,t)=>{let o=e.scrollWidth>e.clientWidth,s={tabindex:"0",role:"region","aria-label":`Formula ${t+1}`};for(let[r,i]of Object.entries(s))o?e.setAttribute(r,i):e.removeAttribute(r)})}close(){this.sizes.disconnect(),this.list.replaceChildren()}show({tensors:e,rows:t}){let o=F(this.root);this.list.replaceChildren(...t.map((s,r)=>{let i=x("open",s.title,()=>this.open(s.name),{title:"Open in Step through"}),a=s.repeated>1?c("span","soft",`, ${s.repeated} times`):null,l=c("div","where small soft",`${s.owner} · ${s.file}`);return c("article","row",c("div","what",c("h2","",i,a),$o("formula",s.formula),c("div","small soft",s.source)),c("div","code",$o("statement",s.statement),l),c("div","tensor",$o("size small",s.shape),Nn(e[r],o)))})),this.reach()}}});var Hn,Xs=y(()=>{Hn=`.matrix {
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
`});var Vm,Km=y(()=>{Vm=`input {
  appearance: textfield;
  min-height: 0;
  padding: 0.15rem 0.25rem;
  width: clamp(2.9rem, 13vw, 3.3rem);
}
td {
  padding: 0 !important;
}
`});var Jm={};k(Jm,{matrix:()=>nn});function nn(n,e,{rows:t,columns:o,caption:s="",corner:r=""}){let i=(m,h)=>c("th","small",m,{scope:h}),a=o&&c("tr","",t&&c(r?"th":"td","small",r),...o.map(m=>i(m,"col"))),l=e.map((m,h)=>c("tr","",t&&i(t[h],"row"),...m)),d=c("table","",s&&c("caption","small",s),a&&c("thead","",a),c("tbody","",...l));return ut("matrix",n,d)}var Ao=y(()=>{S()});var Ym={};k(Ym,{default:()=>vy});var vy,za,Xm=y(()=>{pt();j();Xs();Km();I();S();Ao();vy=C([he,R,Hn,Vm],n=>new za(n),(n,{data:e,setStateValue:t})=>{n.tell=o=>t("cells",o),n.show(e)}),za=class{box;shown="";fields=[];tell=()=>{};constructor(e){this.box=e.querySelector(".grid")}close(){this.box.replaceChildren()}show(e){let t=JSON.stringify(e);if(this.shown===t)return;this.shown=t,this.fields=e.values.map((s,r)=>s.map((i,a)=>this.field(e,i,r,a)));let o=this.fields.map(s=>s.map(r=>c("td","",r)));this.box.replaceChildren(nn(e.label,o,{rows:e.rows,caption:e.label}))}field({label:e,rows:t,bound:o},s,r,i){let a=`${e}, ${t[r]}, number ${i+1}`,l={step:"0.1",min:`${-o}`,max:`${o}`,value:`${Number(s.toFixed(4))}`},d=c("input","",{type:"number",...l,ariaLabel:a});return d.addEventListener("change",()=>{let m=Math.min(Math.max(Number(d.value)||0,-o),o);d.value=`${m}`,this.tell(this.fields.map(h=>h.map(p=>Number(p.value))))}),d}}});var Zm={};k(Zm,{Store:()=>Ro,after:()=>Nt,nearest:()=>Ce,smoothed:()=>Ba,storeOf:()=>Ia,storeOfCheckpoint:()=>Da});function Ia(n,e){let t=Qm.get(n);return t||Qm.set(n,t=new Ro),t.users.size||(t.unlisten=vt(`curves/${n}`,o=>t.take(o))),t.users.add(e),t}function Da(n,e){let t=new Ro;return t.users.add(e),t.fetch(new URL(`./library/${encodeURIComponent(n)}/curves`,document.baseURI)),t}function Nt(n,e){let t=0,o=n.length;for(;t<o;){let s=t+o>>1;n[s]<=e?t=s+1:o=s}return t}function Ce(n,e){if(e===null||!n.length)return n.length-1;let t=Nt(n,e);return t===0?0:t===n.length?t-1:n[t]-e<e-n[t-1]?t:t-1}function Ba({steps:n,values:e},t){if(!t)return e;let o=0,s=0,r=n[0];return e.map((i,a)=>{let l=Math.exp((r-n[a])/t);return r=n[a],o=o*l+i,s=s*l+1,o/s})}var Ty,Ey,Ly,Qm,Ro,on=y(()=>{ct();Ie();Ty=1e4,Ey="This run no longer exists.",Ly="Server not responding. Retrying ...",Qm=new Map;Ro=class{version=0;tables={};more={};problem="";users=new Set;unlisten=null;#e=new Map;leave(e){this.users.delete(e),this.users.size||this.unlisten?.()}async fetch(e){try{let t=await Ee(e,Ty);if(t.ok)return this.take(await t.json());this.problem=await t.text()}catch{this.problem=Ly}for(let t of this.users)t()}take({channel:e,version:t,gone:o,tables:s={},...r}){this.problem=o?Ey:"",this.version=t;for(let[i,{all:a,gone:l,rows:d}]of Object.entries(s)){let m=a?[]:this.tables[i]??[],h=new Set(l);this.tables[i]=[...h.size?m.filter((p,u)=>!h.has(u)):m,...d]}this.more={...this.more,...r},this.#e.clear();for(let i of this.users)i()}rows(e,t){let o=this.tables[e]??[],s=t??1/0;return(o.at(-1)?.[0]??0)<=s?o:o.filter(([r])=>r<=s)}column(e,t,o,s={}){let r=`${e} ${t}`,i=this.#e.get(r);if(!i){let d=(this.tables[e]??[]).filter(h=>h[t]!==null&&h[t]!==void 0),m=Object.entries({steps:0,values:t,...s});i=Object.fromEntries(m.map(([h,p])=>[h,d.map(u=>u[p])])),this.#e.set(r,i)}let a=o??1/0;if((i.steps.at(-1)??0)<=a)return i;let l=Nt(i.steps,a);return Object.fromEntries(Object.entries(i).map(([d,m])=>[d,m.slice(0,l)]))}}});var tp={};k(tp,{chartTheme:()=>Wa,colourOf:()=>sn,config:()=>Ua,dashOf:()=>Oo});function Wa(n,e){let t=F(n),o=document.documentElement.hasAttribute("data-present")?1.25:1,s=t.scale*o,r=t.background[0]+t.background[1]+t.background[2]<384;return{...t,scale:s,dark:r,fontSize:11*s,colours:e[r?"dark":"light"],room:{left:Math.round(42*s),right:Math.round(10*s),top:Math.round(7*s),bottom:Math.round(32*s)},right:r?{fill:"#2a9d95",ink:"#06201e"}:{fill:"#0b7f7a",ink:"#fff"},wrong:r?{fill:"#43262a",ink:"#ff9d94"}:{fill:"#fbe3e0",ink:"#b3261e"}}}function sn(n,e){return n.colours[e%n.colours.length]}function Oo(n){return ep[n%ep.length]}function Ua(n){let{labels:e,ink:t,fontSize:o,family:s,scale:r}=n,i=ue(St(n.background,[128,128,128],.28)),a=ue(St(n.background,[128,128,128],.6));return{autosize:{type:"none"},padding:n.room,background:null,font:s,view:{stroke:null},axis:{labelColor:e,labelFontSize:o,labelPadding:4*r,titleColor:e,titleFontSize:o,titleFontWeight:"normal",titlePadding:0,labelLimit:n.room.left-6,tickColor:a,tickSize:4*r,domainColor:a,gridColor:i},axisX:{labelFlush:!0,labelLimit:80*r},text:{color:t,fontSize:o,font:s},rule:{color:t},range:{heatmap:n.probability.map(ue),ramp:n.probability.map(ue)}}}var ep,Qs=y(()=>{Le();ep=[[1,0],[6,3],[2,2],[9,3,2,3],[12,4],[4,2,1,2],[1,3],[14,3,4,3]]});var ip={};k(ip,{Chart:()=>Pn,Panel:()=>Ht,figure:()=>rp,ownStyle:()=>_a});function Ay(n){let e=op.then(n);return op=e.then(()=>new Promise(t=>setTimeout(t,Sy)),()=>{}),e}function rp(n){if(n===0)return"0";let e=Math.abs(n);return e<1e-4||e>=1e5?n.toExponential(2):e>=100?n.toFixed(1):String(Number(n.toPrecision(4)))}function Ry({low:n,high:e},t){let[o,s]=[n?.[t],e?.[t]];return typeof o=="number"&&typeof s=="number"?[o,s].map(r=>W(r).replace(" %","")).join("-"):""}function qa(n){return n?`${n.toLocaleString("en-US")} ${n===1?"sequence":"sequences"}`:""}function sp(n){return n.reduce((e,{steps:t})=>t.length>e.length?t:e,[])}function Oy({name:n,colour:e,dash:t}){let o=c("span","item");o.innerHTML='<svg viewBox="0 0 18 8" aria-hidden="true"><path d="M0 4h18"/></svg>';let s=o.querySelector("path");s&&Object.assign(s.style,{stroke:e,strokeDasharray:t.join(" ")});let r=c("b"),i=c("small"),a=c("span");return n&&o.append(c("span","name cut",n,{title:n})),i.append(a),o.append(r,i),{node:o,value:r,apart:a}}function _a(n,e){return{colour:sn(n,e),dash:e?[[1,0],[6,3],[2,2],[9,3,2,3]][e%4]:[1,0]}}var Sy,ja,Cy,My,np,$y,op,Ht,Pn,No=y(()=>{on();Qs();ce();de();S();Sy=16,ja=4,Cy=40,My=6,np=12,$y=13,op=Promise.resolve();Ht=class{board;panel;node;title;unit;tested=c("span","tested");step=c("span","step soft");legend=c("div","legend cut");plot=c("div","plot");constructor(e,t){this.board=e,this.panel=t;let o=t.kind==="lines"&&t.measures.some(([r])=>e.library?.measures[r].grouped);this.node=c("section",`panel ${t.name}${t.share?" share":""}${o?" grouped":""}`),this.node.dataset.kind=t.kind,this.node.style.setProperty("--width",String(t.width)),this.node.dataset.panel=t.name,this.node.setAttribute("aria-label",t.title),this.title=c("h2","cut",t.title,{title:t.help??""}),this.unit=c("span","",t.unit);let s=c("div","scale soft",this.unit,this.tested);this.node.append(c("header","",this.title,this.step,s),this.legend,this.plot)}},Pn=class extends Ht{picture=c("div","picture");rule=c("div","rule");chip=c("div","chip");brush=c("div","brush");dots=c("div","dots");points=c("div","dots asked");empty=c("div","empty","Appears after the next evaluation.");series=[];items=[];named="";cells=null;vega=null;key="";room=0;width=0;height=0;logged=!1;pointed;finalize;constructor(e,t){super(e,t),this.plot.append(this.picture,this.brush,this.rule,this.dots,this.points,this.chip,this.empty),Object.assign(this.plot,{tabIndex:0,role:"slider",ariaLabel:`${t.title}, by step`}),this.listen()}close(){this.key="closed",this.finalize?.(),this.node.remove()}setLines(e){this.series=e;let t=e.map(({key:o,name:s,colour:r,dash:i})=>[o,s,r,i]);JSON.stringify(t)!==this.named&&(this.named=JSON.stringify(t),this.items=e.map(Oy),this.legend.replaceChildren(...this.items.map(o=>o.node)),this.dots.replaceChildren(...e.map(({colour:o})=>{let s=c("i");return s.style.background=o,s})))}setCells(e){this.cells=e}get steps(){return this.cells?.steps??sp(this.series.filter(({beside:e})=>!e))}get reach(){return this.cells?.steps??sp(this.series)}get margins(){let{room:e,scale:t}=this.board.theme;return{...e,top:e.top+(this.panel.kind==="lines"?this.board.lanes*np*t:0)}}measure(){let{left:e,right:t,top:o,bottom:s}=this.margins;this.room=this.plot.clientWidth,this.width=Math.max(10,this.room-e-t),this.height=Math.max(10,this.plot.clientHeight-o-s)}draw(){let{board:e}=this;if(this.empty.hidden=this.steps.length>0,!this.room||(this.prepare(),!this.vega))return;let{first:t,last:o}=e.axis,s=this.cells?this.cellRows(this.cells,t,o):this.lineRows(t,o);this.vega.padding(this.margins).width(this.width).height(this.height).signal("first",t).signal("last",o).data("rows",s).data("changes",e.changes()).run(),this.mark(),this.point(e.step)}async prepare(){let{board:e,panel:t}=this,{theme:o,library:s}=e;if(!s)return;let r=!!(t.log&&e.look.log),i=JSON.stringify([e.themeKey,r,this.named??"",!!this.asked]);if(i===this.key)return;this.key=i;let a=t.kind==="lines"&&t.share?"shares":t.kind,l={width:100,height:100,...structuredClone(s.specs[a])};if(t.kind==="lines"&&this.dressLines(l,r),this.asked&&!r)for(let{encoding:p}of l.layer)p?.y&&(p.y.scale={zero:!0});if(t.kind==="predictions"){let{right:p,wrong:u}=o,f={rightFill:p.fill,rightInk:p.ink,wrongFill:u.fill,wrongInk:u.ink};for(let g of l.params)g.value=f[g.name]??g.value}let d=c("div","sheet"),m={mode:"vega-lite",config:Ua(o),renderer:"canvas",actions:!1,tooltip:!1},h=await Ay(async()=>i===this.key?s.embed(d,l,{...m,ast:!0,defaultStyle:!1,logLevel:1}):null);if(i!==this.key||!h)return h?.finalize();this.finalize?.(),this.finalize=()=>h.finalize(),this.vega=h.view,this.logged=r,this.picture.replaceChildren(d),this.measure(),this.draw()}dressLines(e,t){let o=this.series.map(({key:i})=>i),s=this.series.map(({colour:i})=>i),r=this.series.map(({dash:i})=>i);for(let{encoding:i}of e.layer)i?.color&&(i.color.scale={domain:o,range:s},i.strokeDash&&(i.strokeDash.scale={domain:o,range:r}),t&&(i.y.scale={type:"log"},i.y.axis={...i.y.axis,labelOverlap:!0}))}lineRows(e,t){let o=this.panel.noisy?this.board.look.smoothing:0,s=this.logged,r=[],i=0,a=[...this.series].sort((l,d)=>Number(d.beside??!1)-Number(l.beside??!1));for(let l of a){let d=Ba(l,o),m=Math.max(0,Nt(l.steps,e-1e-9)-1),h=Math.min(l.steps.length,Nt(l.steps,t)+1);i=Math.max(i,h-m);for(let p=m;p<h;p++)s&&!(l.values[p]>0)||r.push({step:l.steps[p],value:l.values[p],smooth:d[p],low:l.low?.[p],high:l.high?.[p],series:l.key})}return this.vega.signal("rawOpacity",o?.28:1).signal("rawWidth",(o?1:2)*this.board.theme.scale).signal("smoothWidth",2*this.board.theme.scale).signal("lineHeight",np*this.board.theme.scale).signal("lanes",this.board.lanes).signal("smoothOpacity",o?1:0).signal("pointSize",!o&&i<=Cy?18*this.board.theme.scale:0),r}cellRows({steps:e,rows:t,names:o,cell:s},r,i){let a=Math.max(0,Nt(e,r)-1),l=Nt(e,i),d=Math.max(1,Math.ceil((l-a)*My/this.width)),m=[];for(let u=l-1;u>=a;u-=d)m.unshift(u);m.length&&m[0]!==a&&m.unshift(a);let h=[],p=1/0;return m.forEach((u,f)=>{let[g,w]=[f-1,f+1].map(E=>(e[u]+e[m[E]])/2),v=f?g:e[u],L=f+1<m.length?w:Math.max(this.board.newest,f?e[u]:e[u]+1);p=Math.min(p,(L-v)/(i-r)*this.width);for(let E=0;E<o.length;E++){let T=s(t[u],E);T&&h.push({step:v,until:L,position:E,...T})}}),this.panel.kind==="predictions"&&this.vega.signal("roomy",p>=$y*this.board.theme.scale&&this.height/o.length>this.board.theme.fontSize),this.vega.signal("names",o.map(pe)),h}toSVG(){return this.vega.toSVG()}get asked(){return ge.value?.panel===this.panel.name?ge.value:null}mark(){let{asked:e}=this,{first:t,last:o}=this.board.axis;this.plot.toggleAttribute("data-picks",!!e?.pick);let s=(e?.marks??[]).filter(({at:[r]})=>r>=t&&r<=o);this.points.replaceChildren(...s.map(({at:[r,i],text:a,name:l})=>{let d=c("i",l,a),m=Math.max(0,Math.min(this.height,this.vega.scale("y")(i)));return d.style.transform=`translate(${this.x(r)}px, ${m+this.margins.top}px)`,d}))}picks(e){let t=this.asked?.pick;if(!t||!this.vega)return!1;let{left:o,top:s}=this.plot.getBoundingClientRect(),{first:r,last:i}=this.board.axis,a=r+(e.clientX-o-this.margins.left)/this.width*(i-r),l=this.vega.scale("y").invert(e.clientY-s-this.margins.top);return t([Math.round(Math.max(r,Math.min(i,a))),Number(l.toPrecision(3))]),!0}x(e){let{first:t,last:o}=this.board.axis;return this.board.theme.room.left+(e-t)/(o-t)*this.width}point(e){let{board:t}=this;if(!this.room)return;let{first:o,last:s}=t.axis,r=this.steps,i=Ce(r,e),a=i<0?null:r[i];this.step.textContent=a===null?"":`step ${a.toLocaleString("en-US")}`;let l=e!==null&&e>=o&&e<=s;if(this.rule.hidden=this.chip.hidden=!l,l){let h=this.x(e),{top:p,bottom:u}=this.margins;this.rule.style.cssText=`left:${h}px;top:${p}px;bottom:${u}px`,this.chip.textContent=e.toLocaleString("en-US"),this.chip.style.left=`${Math.min(Math.max(h,16),this.room-16)}px`}let d=this.cells?this.tellCells(this.cells,i):this.tellLines(e,a,l),m=a===null?"nothing measured yet":`step ${a}: ${d}`;Object.assign(this.plot,{ariaValueMin:r[0]??0,ariaValueMax:r.at(-1)??0,ariaValueNow:a??0,ariaValueText:m})}tellLines(e,t,o){let s=this.panel.share?W:rp,r=o&&this.vega?this.vega.scale("y"):null,{first:i,last:a}=this.board.axis,l=this.dots.querySelectorAll("i"),d=this.series[0]?.tested?.[Ce(this.series[0].steps,e)];return b(this.tested,d?` · ${qa(d)} tested${this.series.some(({low:h})=>h)?" · band: 95 % interval":""}`:""),[...this.series.map((h,p)=>{let u=Ce(h.steps,h.beside?e??t:e),f=this.items[p],g=u<0?"–":s(h.values[u]);b(f.value,g);let w=u>=0&&h.steps[u]!==t?`at ${h.steps[u].toLocaleString("en-US")}`:"",v=h.tested?.[u]===d?"":qa(h.tested?.[u]),L=Ry(h,u),E=[w,L,v].filter(Boolean).join(", ");b(f.apart,E),f.apart.title=L?`95 % interval ${L} %`:E;let T=l[p],$=r&&u>=0?r(h.values[u]):NaN;return T.hidden=!Number.isFinite($)||h.steps[u]<i||h.steps[u]>a,T.hidden||(T.style.transform=`translate(${this.x(h.steps[u])}px, ${$+this.margins.top}px)`),`${h.name} ${g} ${E}`.trim()}),qa(d)].filter(Boolean).join(", ")}tellCells({rows:e,names:t,tell:o,sum:s},r){let i=this.pointed===void 0?null:Math.floor(this.pointed*t.length),a=r<0?"":i!==null&&i>=0&&i<t.length?o(e[r],i):s(e[r]);return b(this.legend,a),a}listen(){let{plot:e,board:t}=this,o=l=>l.clientX-e.getBoundingClientRect().left,s=l=>{let{first:d,last:m}=t.axis;return d+(l-t.theme.room.left)/this.width*(m-d)},r=l=>{let{first:d,last:m}=t.axis,{reach:h}=this,p=Ce(h,s(l)),u=[p,p+1,p-1].find(f=>h[f]>=d&&h[f]<=m);return h[u??p]??null},i=l=>{let d=e.getBoundingClientRect();this.pointed=(l.clientY-d.top-this.margins.top)/this.height,t.rest(()=>r(l.clientX-e.getBoundingClientRect().left))},a=null;e.addEventListener("pointerdown",l=>{l.button!==0||!t.theme||(a={x:o(l),touch:l.pointerType==="touch"},a.touch?i(l):e.setPointerCapture(l.pointerId))}),e.addEventListener("pointermove",l=>{let d=!l.movementX&&!l.movementY;if(!t.theme||t.slide&&d||(i(l),!a||a.touch))return;let[m,h]=[a.x,o(l)].sort((u,f)=>u-f),{left:p}=t.theme.room;this.brush.hidden=h-m<=ja,this.brush.style.left=`${Math.max(m,p)}px`,this.brush.style.width=`${Math.min(h,p+this.width)-Math.max(m,p)}px`}),e.addEventListener("pointerup",l=>{if(!a)return;let{x:d,touch:m}=a;a=null,this.brush.hidden=!0;let h=o(l);Math.abs(h-d)<=ja&&this.picks(l)||(m?t.hold(r(h)):Math.abs(h-d)>ja?t.zoom(s(Math.min(d,h)),s(Math.max(d,h))):t.clicked(r(h)))}),e.addEventListener("pointercancel",()=>{a=null,this.brush.hidden=!0}),e.addEventListener("pointerleave",l=>{this.pointed=void 0,l.pointerType!=="touch"&&t.rest(null)}),e.addEventListener("dblclick",()=>t.zoom()),e.addEventListener("keydown",l=>this.press(l)),e.addEventListener("blur",()=>e.clientWidth&&t.hold(null)),this.brush.hidden=!0}press(e){if(e.ctrlKey||e.altKey||e.metaKey)return;let{board:t}=this,{steps:o}=this;if(!o.length)return;let s=Ce(o,t.step),r=e.shiftKey?10:1,i={ArrowLeft:s-r,ArrowRight:s+r,Home:0,End:o.length-1}[e.key];if(i!==void 0)t.hold(o[Math.min(Math.max(i,0),o.length-1)]);else if(e.key==="Enter")t.clicked(o[s]);else if(e.key==="Escape")t.hold(null);else if(e.key==="+"||e.key==="=")t.zoomAround(o[s],.5);else if(e.key==="-")t.zoomAround(o[s],2);else if(e.key==="0")t.zoom();else return;le(e)}}});var cp={};k(cp,{download:()=>Fa});async function Fa(n,e,t){let[o]=n.data.runs,s=n.single?o.name:"comparison";if(e==="csv"){for(let{id:h,name:p,shelf:u="runs"}of n.data.runs)Ga(new URL(`./${u}/${encodeURIComponent(h)}/metrics.csv`,document.baseURI).href,`${p}.csv`);return}let r=[s,t].filter(Boolean).join("-").replaceAll(/[^\p{L}\p{N}_-]+/gu,"-"),i=n.panels.filter(h=>"picture"in h),{text:a,width:l,height:d}=await Ny(n,i.filter(({panel:h})=>!t||h.name===t)),m=URL.createObjectURL(new Blob([a],{type:"image/svg+xml"}));e==="svg"?Ga(m,`${r}.svg`):Ga(await zy(m,l,d),`${r}.png`),setTimeout(()=>URL.revokeObjectURL(m),6e4)}function Ga(n,e){let t=c("a","",{href:n,download:e});document.body.append(t),t.click(),t.remove()}async function Ny(n,e){let t=e.map(({node:h})=>h.getBoundingClientRect()),o=Math.min(...t.map(h=>h.left)),s=Math.min(...t.map(h=>h.top)),r=Math.ceil(Math.max(...t.map(h=>h.right))-o)+2*Zs,i=Math.ceil(Math.max(...t.map(h=>h.bottom))-s)+2*Zs,{theme:a}=n,l=await Promise.all(e.map(async(h,p)=>{let u=await Hy(h);return`<g transform="translate(${t[p].left-o+Zs}, ${t[p].top-s+Zs})">${u}</g>`})),d=`rgb(${a.background.join(",")})`;return{text:`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${r}" height="${i}" viewBox="0 0 ${r} ${i}" font-family="${lp(a.family)}"><rect width="100%" height="100%" fill="${d}"/>${l.join("")}</svg>`,width:r,height:i}}async function Hy(n){let e=n.node.getBoundingClientRect(),t=[n.title,n.unit,n.tested,n.step,...n.legend.querySelectorAll(".name, b, small")];n.legend.children.length||t.push(n.legend);let o=t.map(a=>Py(a,e)).join(""),s=[...n.legend.querySelectorAll("svg")].map(a=>{let l=a.getBoundingClientRect(),d=getComputedStyle(a.querySelector("path")??a),m=l.top-e.top+l.height/2;return`<path d="M${l.left-e.left} ${m}h${l.width}" fill="none" stroke="${d.stroke}" stroke-width="2" stroke-dasharray="${d.strokeDasharray==="none"?"":d.strokeDasharray}"/>`}).join(""),r=n.plot.getBoundingClientRect(),i=await n.toSVG();return`${o}${s}<g transform="translate(${r.left-e.left}, ${r.top-e.top})">${i}</g>`}function Py(n,e){let t=n.textContent;if(!t)return"";let o=n.getBoundingClientRect(),s=getComputedStyle(n);return`<text x="${o.left-e.left}" y="${o.top-e.top+o.height/2}" dominant-baseline="central" font-size="${s.fontSize}" font-weight="${s.fontWeight}" fill="${s.color}">${lp(t)}</text>`}function lp(n){return n.replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;")}async function zy(n,e,t){let o=new Image;o.src=n,await o.decode();let s=c("canvas","",{width:e*ap,height:t*ap});return _e(s).drawImage(o,0,0,s.width,s.height),s.toDataURL("image/png")}var Zs,ap,Ka=y(()=>{S();Zs=24,ap=2});var hp,dp=y(()=>{hp=`.charts {
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
.plot[data-picks] {
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
`});var mp={};k(mp,{joined:()=>rn,pieces:()=>er,prose:()=>zn,replaced:()=>tr});function rn(n){return n.join("").replaceAll(Dy," ")}function er(n){let e=[];for(let[t,o]of n){let s=o==="missing"?"_":o==="wrong"?t:rn([t]),r=e.at(-1);r&&r[1]===o?r[0]+=s:e.push([s,o])}return e}function zn(n,e){tr(n,"prose",e,()=>er(e).map(([t,o])=>o?c("span",o,t):t))}function tr(n,e,t,o){let s=JSON.stringify([e,t]);if(n.dataset.shown!==s){n.dataset.shown=s;for(let r of["prose","toks"])n.classList.toggle(r,r===e);n.replaceChildren(...o())}}var Dy,nr=y(()=>{S();Dy="␣"});var up={};k(up,{OwnInput:()=>Ho});async function Fy(n,e){try{let t=await Ee(n,By,e);return t.ok?await t.json():{problem:await t.text(),wrong:t.status===Gy}}catch{return{problem:"Server not responding. Retrying ...",wrong:!1}}}var By,Wy,pp,Uy,jy,qy,_y,Gy,Ho,Va=y(()=>{ct();on();nr();S();By=2e4,Wy=300,pp=1e3,Uy=4,jy=5e3,qy=100,_y=2e3,Gy=422;Ho=class{board;field=c("input","",{type:"text",autocomplete:"off",spellcheck:!1,maxLength:_y});step=c("span","at soft");text=c("div","prose");problem=c("div","problem",{role:"status"});heard=c("div","unseen",{ariaLive:"polite"});node=c("div","own",c("label","",c("span","","Your input"),this.field),this.step,this.text,this.problem,this.heard);run=null;kept=[];latest=new Be(qy,Fy);asked="";announced="";timer=0;rest=0;constructor(e){this.board=e,this.field.addEventListener("input",()=>{e.look.inputs[this.run?.typing??""]=this.field.value,b(this.problem,""),this.asked="",this.later(Wy)})}close(){clearTimeout(this.timer),this.latest.forget()}fill(e,t){this.node.hidden=!e.running,this.kept=t[0]===0?t:[0,...t],e.id!==this.run?.id&&(this.field.value=this.board.look.inputs[e.typing]??"",this.field.title=e.typing,this.asked="",b(this.problem,"")),this.run=e}point(){this.field.value?!this.timer&&!this.problem.textContent&&this.address!==this.asked&&this.later(this.rest-Date.now()):this.show(null)}get address(){let e=String(this.kept[Ce(this.kept,this.board.step)]),t=new URLSearchParams({step:e,input:this.field.value});return new URL(`./runs/${encodeURIComponent(this.run?.id??"")}/answer?${t}`,document.baseURI).href}later(e){clearTimeout(this.timer),this.timer=setTimeout(()=>this.ask(),Math.max(0,e))}ask(){this.timer=0;let{address:e}=this,t=this.field.value;if(!this.run?.running||!t)return this.show(null);let o=Date.now();this.asked=e,this.rest=o+pp,this.latest.ask(e,s=>{if(this.rest=Date.now()+Math.max(pp,Uy*(Date.now()-o)),"problem"in s){b(this.problem,s.wrong?s.problem:""),b(this.step,""),s.wrong||(this.asked="",this.later(jy));return}this.show(s),t!==this.announced&&b(this.heard,`Step ${s.step}: ${rn(s.says)}`),this.announced=t,this.point()})}show(e){b(this.step,e?`step ${e.step.toLocaleString("en-US")}`:""),e?zn(this.text,[...e.reads.map(t=>[t,"read"]),...e.says.map(t=>[t,""])]):zn(this.text,[["Type a beginning. The model continues it while it trains.","hint"]])}}});var bp={};k(bp,{Examples:()=>Po,compared:()=>gp});function gp(n,e){let t=n.length-e.length-Ky,o=t>1?n.slice(0,-t):n,s=Array.from({length:Math.max(o.length,e.length)},(r,i)=>[o[i]??"",o[i]===e[i]?"":o[i]===void 0?"missing":"wrong"]);return t>1?[...s,[`+${t}`,"more"]]:s}function fp(n){return n.map(e=>[e,""])}function Vy(n,e){tr(n,"toks",e,()=>e.map(([t,o])=>{let s=c("span",`tok ${o}`,t?pe(t):" ");return o==="more"&&(s.title=`${t.slice(1)} more tokens`),s}))}var Ky,Po,Ja=y(()=>{No();on();Va();nr();S();Ky=2,Po=class extends Ht{own=new Ho(this.board);list=c("div","list",{role:"radiogroup",ariaLabel:"Selected example"});rows=[];predictions=[];steps=[];reads=[];right=[];open=!1;running=!1;named=()=>[];constructor(e,t){super(e,t),this.plot.classList.add("answers"),this.plot.append(this.own.node,this.list)}close(){this.own.close(),this.node.remove()}fill(e,t){let{tokens:o=[],end:s,examples:r=[],open:i=!1,kept:a=[]}=t.more;for(this.own.fill(e,a.filter(l=>l<=(e.upto??1/0))),this.open=i,this.running=e.running,this.node.classList.toggle("running",this.running),this.legend.textContent=this.running?`${e.how} · underlined: ${i?"not as in the text":"wrong"}`:e.how,this.predictions=t.rows("predictions",e.upto),this.steps=this.predictions.map(([l])=>l),this.named=l=>l.filter(d=>d!==s).map(d=>o[d]),this.reads=r.map(({reads:l})=>this.named(l)),this.right=r.map(({right:l})=>this.named(l));this.rows.length>r.length;)this.rows.pop()?.node.remove();for(;this.rows.length<r.length;)this.rows.push(this.row(this.rows.length))}row(e){let[t,o,s,r]=["reads","says","wanted","verdict"].map(l=>c("span",l)),i=x("example",c("small","","input"),()=>this.board.choose({example:e}),{role:"radio"}),a=c("small","whose");return i.append(t,c("small","","output"),o,r,a,s),this.list.append(i),{node:i,reads:t,says:o,whose:a,wanted:s,verdict:r}}measure(){}draw(){this.point(this.board.step)}point(e){this.running&&this.own.point();let t=Ce(this.steps,e);this.step.textContent=t<0?"":`step ${this.steps[t].toLocaleString("en-US")}`,this.rows.forEach((o,s)=>{let r=this.right[s],i=this.predictions[t]?.[1][s],a=i?this.named(i):null,l=a?.length===r.length&&a.every((h,p)=>h===r[p]),d=a?gp(a,r):[],m=this.running?zn:Vy;m(o.reads,fp(this.reads[s])),m(o.says,d),m(o.wanted,this.running?fp(r):[]),o.whose.textContent=this.open?"text":"right",o.whose.hidden=o.wanted.hidden=!this.running,o.node.ariaLabel=this.running?this.heard(s,d):null,o.verdict.textContent=!a||this.open?"":l?"✓":"✕",o.verdict.title=!a||this.open?"":l?"all correct":"has errors",o.node.setAttribute("aria-checked",String(s===this.board.example))})}heard(e,t){let s=t.filter(([,i])=>!i).length<t.length?", with wrong characters in brackets":"",r=er(t).map(([i,a])=>a?`[${i}]`:i).join("");return`Input: ${rn(this.reads[e])}. Output${s}: ${r||"none yet"}. ${this.open?"In the text":"Right"}: ${rn(this.right[e])}.`}}});var yp={};k(yp,{Heads:()=>zo});async function Xy(n,e){try{let t=await Ee(n,Jy,e);return t.ok?ee(new Uint8Array(await t.arrayBuffer())):{problem:t.status===429?await t.text():""}}catch{return{problem:""}}}var Jy,Yy,wp,zo,Ya=y(()=>{ct();No();on();Zt();tn();Ve();S();Jy=1e4,Yy=300,wp=26;zo=class extends Ht{choice=c("select","taps",{ariaLabel:"Which attention"});group=new ye(this.plot);empty=c("div","empty","Attention heads appear once the run has saved a step.");shown=null;themed="";kept=[];run=null;latest=new Be(Yy,Xy);width=0;height=0;address=null;constructor(e,t){super(e,t),this.plot.classList.add("heads"),Object.assign(this.plot,{role:"group",ariaLabel:"Attention weights"}),this.choice.addEventListener("change",()=>e.choose({tap:this.choice.value})),this.title.after(this.choice),this.plot.append(this.empty),this.group.listen(this.plot,()=>this.tell())}close(){this.latest.forget(),this.node.remove()}fill(e,t){let{attentions:o=[],kept:s=[]}=t.more;this.run=e,this.kept=s.filter(i=>i<=(e.upto??1/0));let r=JSON.stringify(o);this.choice.dataset.shown!==r&&(this.choice.dataset.shown=r,this.choice.replaceChildren(...o.map(({tap:i,title:a})=>new Option(a,i)))),this.choice.value=this.board.attention?.tap??""}measure(){this.width=this.plot.clientWidth,this.height=this.plot.clientHeight}draw(){this.shown&&this.layout(),this.point(this.board.step)}point(e){let{board:t}=this;if(!this.run||!t.attention)return;let o=this.kept[0]===0?this.kept:[0,...this.kept],s=new URLSearchParams({step:String(o[Ce(o,e)]),example:String(t.example),tap:t.attention.tap}),r=new URL(`./runs/${encodeURIComponent(this.run.id)}/attention?${s}`,document.baseURI).href;r!==this.address&&(this.address=r,this.latest.ask(r,i=>this.show(i)))}show(e){if(!("tensors"in e)){this.address=null,this.legend.textContent=e.problem;return}this.shown=e,this.empty.hidden=!0;let[t]=e.tensors;this.group.fill(t,We(t),{},this.board.theme,null),this.step.textContent=`step ${e.step.toLocaleString("en-US")}`,this.layout()}layout(){let{board:e}=this,{theme:t}=e;if(!this.width)return;this.themed!==e.themeKey&&(this.themed=e.themeKey,this.group.paint(t,null));let o=e.slide?Math.round(3*wp*t.scale):wp;Co(this.group,t,{width:this.width,height:this.height,most:o}),this.tell()}tell(){let e=this.group.words();!e&&this.shown&&(e=`example ${this.board.example+1}, with the model's own predictions`),b(this.legend,e)}toSVG(){let e=this.plot.getBoundingClientRect();return this.group.tiles.map(({canvas:t,title:o})=>{let s=t.getBoundingClientRect(),r=o.getBoundingClientRect();return`<text x="${r.left-e.left}" y="${r.top-e.top+r.height/2}" dominant-baseline="central" font-size="12" font-weight="600" fill="${this.board.theme.ink}">${o.textContent}</text><image href="${t.toDataURL()}" x="${s.left-e.left}" y="${s.top-e.top}" width="${s.width}" height="${s.height}"/>`}).join("")}get picture(){return this.plot}}});var kp={};k(kp,{toolbar:()=>Qa});function Qa(n){let e=c("span"),t=c("span"),o=or("Step through",()=>n.open(n.step??n.newest)),s=or("Latest",()=>n.hold(null)),r=or("Whole run",()=>n.zoom()),i=c("span","word",{role:"status"}),a=xp("Log scale",w=>n.change({log:w})),l=xp("Gradient norm",w=>n.observe(w)),d=c("input","",{type:"range",min:"0",max:String(Xa.length-1),step:"1",ariaLabel:"Smoothing"}),m=c("output","over");d.addEventListener("input",()=>n.change({smoothing:Xa[Number(d.value)]}));let h=Zy(n);o.title="Open this training step in Step through.";let p=c("output","now",t,e),u=c("span","acts",o,s,r),f=c("label","smoothing","Smoothing ",d,m);return{node:c("div","bar wrap",p,u,i,f,a.node,l.node,h.node,{role:"toolbar",ariaLabel:"Charts"}),say:w=>i.textContent=w,tell(w,v){b(t,`Step ${Qy(w??v)}`),e.textContent=w===null?" (latest)":"",s.classList.toggle("unused",n.held===null),o.classList.toggle("unused",!n.data.opens||n.held===null)},update(){let{look:w,data:v}=n;a.input.checked=w.log,d.value=String(Xa.indexOf(w.smoothing)),m.textContent=w.smoothing?`over ${w.smoothing} steps`:"off",d.setAttribute("aria-valuetext",m.textContent),r.classList.toggle("unused",!n.zoomed),l.node.hidden=v.observes===null,l.input.disabled=!v.observes,l.node.title=v.observes===!1?"You can turn the gradient norm on or off only while the run trains.":"",l.input.checked=n.observed,h.update()}}}function Qy(n){return n.toLocaleString("en-US")}function or(n,e){let t=x("",n,e);return t.addEventListener("pointerdown",o=>o.preventDefault()),t}function xp(n,e){let t=c("input","",{type:"checkbox"});return t.addEventListener("change",()=>e(t.checked)),{node:c("label","check",t,n),input:t}}function Zy(n){let e=c("select","",{ariaLabel:"Which charts"}),t=[["PNG","png"],["SVG","svg"],["CSV","csv"]].map(([a,l])=>{let d=or(a,()=>{n.download(l,e.value),r.open=!1});return Object.assign(d,{ariaLabel:`Download as ${a}`})}),o=c("small","","PNG and SVG show the charts as drawn. CSV has every recorded step."),s=c("summary","","Download"),r=c("details","downloads",s,c("div","menu",e,c("div","kinds",...t),o)),i=a=>{r.open&&!a.composedPath().includes(r)&&(r.open=!1)};return r.addEventListener("toggle",()=>{r.open?document.addEventListener("pointerdown",i):document.removeEventListener("pointerdown",i)}),r.addEventListener("keydown",a=>{a.key!=="Escape"||!r.open||(r.open=!1,s.focus(),a.stopPropagation())}),{node:r,update(){let a=[["","All charts"],...n.panels.filter(d=>"picture"in d).map(({panel:d})=>[d.name,d.title])],l=JSON.stringify(a);e.dataset.names!==l&&(e.dataset.names=l,e.replaceChildren(...a.map(([d,m])=>new Option(m,d))))}}}var Xa,Za=y(()=>{S();Xa=[0,2,5,10,20,50,100,200,500,1e3,2e3,5e3]});var Cp={};k(Cp,{Board:()=>rr,default:()=>rx,prepare:()=>ix});async function ox({program:n,specs:e},t,o){for(let s=Ep.first;;s=Math.min(2*s,Ep.most)){try{return await(sr??=Sp(n,e))}catch{sr=null,t()}if(await new Promise(r=>setTimeout(r,s)),o())return null}}async function Sp(n,e){let t=Lp++?`?try=${Lp}`:"",[{vegaEmbed:o},s]=await Promise.all([import(new URL(`./${n}${t}`,document.baseURI).href),fetch(new URL(`./${e}`,document.baseURI)).then(r=>r.json())]);return{embed:o,...s}}function ix({data:{program:n,specs:e}}){(window.requestIdleCallback??setTimeout)(()=>(sr??=Sp(n,e)).catch(()=>sr=null))}function lx(n,e,t){let o=n.rows(t,e.upto).filter(i=>i.length>1),s=o.map(i=>i.slice(1)),r=s.reduce((i,a)=>Math.max(i,a.length),0);return{steps:o.map(([i])=>i),rows:s,names:Array.from({length:r},(i,a)=>String(a+1)),cell:(i,a)=>typeof i[a]=="number"&&{value:i[a]},tell:(i,a)=>typeof i[a]=="number"?`position ${a+1}: ${W(i[a])} right`:`position ${a+1}: not evaluated`,sum(i){let a=i.map((d,m)=>[d,m]).filter(([d])=>typeof d=="number"),l=a.reduce((d,m)=>m[0]<d[0]?m:d,a[0]??[0,0]);return a.length?`lowest: position ${l[1]+1}, ${W(l[0])} right`:""}}}function cx(n,e,t){let{tokens:o=[],examples:s=[]}=n.more,r=n.rows("predictions",e.upto).filter(m=>m[1].length),i=r.map(m=>m[1][t]??[]),a=s[t]?.right??[],l=i.reduce((m,h)=>Math.max(m,h.length),a.length),d=m=>o[m]??"";return{steps:r.map(([m])=>m),rows:i,names:Array.from({length:l},(m,h)=>d(a[h])||"–"),cell:(m,h)=>(m[h]!==void 0||a[h]!==void 0)&&{token:d(m[h]),right:m[h]===a[h]},tell:(m,h)=>`position ${h+1}: predicted ${d(m[h])||"nothing"}, expected ${d(a[h])||"nothing"}`,sum:m=>`${a.filter((h,p)=>m[p]===h).length} of ${a.length} tokens right`}}var ex,vp,Tp,Ep,tx,nx,sr,Lp,sx,rx,rr,ax,Mp=y(()=>{pt();j();$n();dp();nt();No();Ka();on();Qs();Ja();Ya();de();Ie();Za();I();S();ex=250,vp=4,Tp=7,Ep={first:1e3,most:3e4},tx=[1,1.5,2,3,4,5,6,8,10],nx={log:!1,smoothing:0,example:0,tap:"",inputs:{}},sr=null,Lp=0;sx=[he,R,Je,hp],rx=C(sx,n=>new rr(n),(n,{data:e,setStateValue:t,setTriggerValue:o})=>{n.open=s=>o("step",s),n.acts.adopt(e,s=>t("acts",s)),n.show(e)});rr=class{parent;root;bar;grid=c("div","grid");observer=new ResizeObserver(()=>this.fit());unwatch;size="";shown="";themeKey="";names="";channel="";alone=!1;closed=!1;acts=new oe;stores=new Map;panels=[];look=nx;resting=null;held=null;zoomed=null;library=null;loading;data;theme;played=null;slide=null;open;news=0;frame=0;opening=0;constructor(e){this.parent=e,this.root=e.querySelector(".charts"),this.bar=Qa(this),this.root.append(this.bar.node,this.grid),this.observer.observe(this.root),this.unwatch=[re.watch(t=>this.present(t)),ge.watch(()=>this.shown&&this.redraw())],document.addEventListener("keydown",this.letGo)}present(e){this.held=e&&this.slide?this.step:null,this.resting=null,this.slide=e,this.choosePanels(),this.fit(),this.shown&&this.point()}letGo=e=>{e.key!=="Escape"||!this.slide||this.held===null||(this.hold(null),e.preventDefault())};fit(){let e=`${this.root.clientWidth} ${this.panels.map(({plot:o})=>o.clientHeight)}`,t=e!==this.size;this.size=e,this.shown&&t&&(this.dress()?this.fill():this.redraw())}choosePanels(){this.grid.classList.toggle("presented",this.slide!==null);for(let{node:e,panel:t}of this.panels)e.classList.toggle("shown",!!this.slide?.panels.includes(t.name))}close(){this.closed=!0,cancelAnimationFrame(this.news),this.played?.close();for(let e of this.stores.values())e.leave(this.changed);this.observer.disconnect();for(let e of this.unwatch)e();yt.set(this,null),document.removeEventListener("keydown",this.letGo);for(let e of this.panels)e.close();this.root.replaceChildren()}async show(e){this.data=structuredClone(e),this.listen();for(let{id:t}of this.all)this.store(t);for(let[t,o]of this.stores)this.all.some(s=>s.id===t)||(o.leave(this.changed),this.stores.delete(t));this.loading??=ox(e,()=>this.bar.say("Charts didn't load. Retrying ..."),()=>this.closed),this.library??=await this.loading,!this.closed&&(this.dress(),this.panels.length||this.fill(),this.refresh())}get drawn(){return JSON.stringify([this.data,this.themeKey,this.all.map(({id:e})=>this.store(e).version)])}changed=()=>{cancelAnimationFrame(this.news),this.news=requestAnimationFrame(()=>this.refresh())};refresh(){if(this.closed||!this.data||!this.library)return;for(let i of this.all){let{more:a}=this.store(i.id);!i.channel&&a.step!==void 0&&Object.assign(i,{step:a.step,ended:a.ended})}let e=this.all.map(({id:i})=>this.store(i).problem).find(Boolean)??"",{drawn:t}=this;if(this.bar.say(e),t===this.shown)return;this.shown=t;let[{id:o,name:s,shelf:r}]=this.data.runs;yt.set(this,this.single&&!r?{run:o,name:s,step:this.newest}:null),this.fill()}store(e){let t=this.stores.get(e);if(t)return t;let s=(this.all.find(r=>r.id===e)?.shelf==="library"?Da:Ia)(e,this.changed);return this.stores.set(e,s),s}listen(){let e=this.data.runs[0].channel??"";e!==this.channel&&(this.channel=e,this.played?.close(),this.played=e?new kt(e,()=>{let t=this.played?.values??{},[o]=this.data.runs;o.channel===e&&t.step!==void 0&&Object.assign(o,{upto:t.step,step:t.step,ended:t.ended}),this.changed()}):null)}dress(){if(!this.library)return!1;let e=Wa(this.parent,this.library.colours),t=JSON.stringify(e);if(t===this.themeKey)return!1;this.theme=e,this.themeKey=t;for(let[o,s]of Object.entries({right:e.right.fill,wrong:e.wrong.fill,miss:e.wrong.ink}))this.root.style.setProperty(`--${o}`,s);return!0}get observed(){let{id:e}=this.data.runs[0];return this.acts.pending.findLast(([,,t])=>t===e)?.[3]??this.data.observed}observe(e){this.acts.add("observe",this.data.runs[0].id,e),this.fill()}get single(){return this.data.runs.length===1}get all(){let{runs:e,beside:t}=this.data;return t?[...e,t]:e}fill(){let e=this.wanted(),t=e.map(({name:o})=>o).join(" ")+this.single;if(t!==this.names){this.names=t;let o=this.single===this.alone?new Map(this.panels.map(s=>[s.panel.name,s])):new Map;for(let s of this.panels)e.some(({name:r})=>r===s.panel.name&&o.has(r))||s.close();this.panels=e.map(s=>o.get(s.name)??new(ax[s.kind]??Pn)(this,s)),this.alone=this.single,this.grid.replaceChildren(...this.panels.map(({node:s})=>s)),this.choosePanels()}for(let o of this.panels)this.give(o);this.bar.update(),this.redraw()}wanted(){if(!this.library)return[];let{panels:e,compared:t,measures:o}=this.library;return(this.single?this.data.runs[0].running?[...e.filter(({kind:r})=>r==="examples"),...e.filter(({kind:r})=>r!=="examples")]:e:t).filter(r=>this.data.panels.length&&!this.data.panels.includes(r.name)?!1:!r.if_measured||r.measures.some(([i])=>o[i].on_request&&this.observed||this.data.runs.some(a=>this.has(a,i))))}has(e,t){let{table:o,grouped:s}=this.library.measures[t];return s?this.store(e.id).rows(o,e.upto).some(r=>r.length>1):this.column(e,t).steps.length>0}give(e){let{kind:t,measures:o}=e.panel,{runs:s}=this.data,[r]=s,i=this.store(r.id);if(!(e instanceof Pn))return e.fill(r,i);if(t==="positions")return e.setCells(lx(i,r,o[0][0]));if(t==="predictions")return e.setCells(cx(i,r,this.example));if(this.library?.measures[o[0][0]].grouped)return e.setLines(this.groups(i,r,e.panel));if(!this.single)return e.setLines(s.map((h,p)=>({key:h.id,name:h.name,colour:sn(this.theme,h.colour),dash:Oo(p),...this.column(h,o[0][0])})));let l=o.filter(([h])=>(!h.startsWith("teacher_forced")||r.forced.includes(h))&&(!this.library?.measures[h].recorded||this.has(r,h))).map(([h,p],u)=>({key:h,name:p,..._a(this.theme,u),...this.column(r,h)})),{beside:d}=this.data,m=d&&{key:"beside",beside:!0,name:d.name,colour:sn(this.theme,Tp),dash:Oo(Tp)};e.setLines(m?[...l,{...m,...this.column(d,o[0][0])}]:l)}get example(){let{examples:e=[]}=this.store(this.data.runs[0].id).more;return Math.min(this.look.example,Math.max(0,e.length-1))}get attention(){let{attentions:e=[],attention:t}=this.store(this.data.runs[0].id).more;return e.find(({tap:o})=>o===this.look.tap)??e.find(({tap:o})=>o===t)??null}groups(e,t,{measures:[[o]],reaches:s=0}){let{groups:r={}}=e.more;return(r[o]??[]).map(([d,m],h)=>({tap:d,name:m,at:1+h})).filter(({tap:d})=>!d||d===this.attention?.tap).map(({name:d,at:m})=>({name:d,column:e.column(o,m,t.upto)})).filter(({column:d})=>!s||d.values.some(m=>m>=s)).map(({name:d,column:m},h)=>({key:d,name:d,colour:sn(this.theme,h),dash:Oo(h+Math.floor(h/this.theme.colours.length)),...m}))}column(e,t){let{table:o,at:s,beside:r}=this.library.measures[t];return this.store(e.id).column(o,s,e.upto,r)}get newest(){return Math.max(0,...this.data.runs.map(e=>this.last(e)))}get end(){let{beside:e}=this.data,t=ge.value?.step??0;return Math.max(1,this.newest,e?this.last(e):0,t)}last({id:e,step:t,upto:o}){return o??Math.max(t,this.store(e).tables.steps?.at(-1)?.[0]??0)}get axis(){if(this.zoomed)return this.zoomed;let{end:e}=this;if(this.all.every(({ended:o})=>o))return{first:0,last:e};let t=10**Math.floor(Math.log10(e));return{first:0,last:tx.map(o=>o*t).find(o=>o>=e)??e}}zoom(e=0,t=1/0){let{end:o}=this,s=e<=0&&t>=o,r=Math.max(0,Math.floor(e));this.zoomed=s?null:{first:r,last:Math.max(Math.ceil(Math.min(t,Math.max(o,r+1))),r+1)},this.bar.update(),this.redraw()}zoomAround(e,t){let{first:o,last:s}=this.axis;this.zoom(e-(e-o)*t,e+(s-e)*t)}changes(){let[{id:e,upto:t}]=this.data.runs;return(this.single?this.store(e).more.changes??[]:[]).filter(({step:s})=>s<=(t??1/0)).map(({step:s,label:r},i)=>({step:s,label:r,line:i%vp}))}get lanes(){return Math.min(vp,this.changes().length)}redraw(){this.size=`${this.root.clientWidth} ${this.panels.map(({plot:e})=>e.clientHeight)}`;for(let e of this.panels)e.measure();for(let e of this.panels)e.draw();this.tell()}get step(){return this.resting?this.resting():this.held}rest(e){this.resting=e,e&&this.slide&&(this.held=null),this.point()}hold(e){this.held=e,e!==null&&(this.resting=null),this.point()}point(){cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>{let{step:e}=this;for(let t of this.panels)t.point(e);this.tell()})}tell(){this.bar.tell(this.step,this.newest)}clicked(e){let t=this.opening;clearTimeout(t),this.opening=0,!(e===null||!this.data.opens)&&(this.zoomed?t||(this.opening=setTimeout(()=>{this.opening=0,this.open(e)},ex)):this.open(e))}change(e){Object.assign(this.look,e),this.bar.update(),this.redraw()}choose(e){Object.assign(this.look,e),this.fill()}download(e,t){return Fa(this,e,t)}},ax={examples:Po,attention:zo}});var $p={};k($p,{default:()=>hx});function mx(n){try{let e=JSON.parse(n).cells.filter(t=>t.cell_type==="code");return JSON.stringify({cells:e.map(({cell_type:t,source:o})=>({cell_type:t,source:o}))})}catch{return n}}function px(n){let e=new TextDecoder("latin1").decode(n.slice(0,1e3)).split(/\r\n?|\n/,2);for(let t of e){let o=/^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(t);if(o)return o[1].toLowerCase().replaceAll("_","-").replace(/^(iso-)?latin-1$/,"latin1")}return"utf-8"}var dx,hx,el,Ap=y(()=>{j();Aa();I();S();dx=5e7,hx=C([R,Vs],n=>new el(n),(n,{data:e,setTriggerValue:t})=>{n.allow(e),n.tell=o=>t("chosen",o)}),el=class{zone;input=Ze("",e=>this.take(e));choose=x("","",()=>this.input.click());allowed={most:0,endings:[]};tell;ended=new AbortController;constructor(e){this.zone=c("div","zone wrap large",this.choose,this.input,c("span","soft","or drop it on this page")),e.querySelector(".code-file")?.replaceChildren(this.zone);for(let t of["dragenter","dragover","dragleave","drop"]){let o={capture:!0,signal:this.ended.signal};addEventListener(t,s=>this.drag(s),o)}}allow(e){this.allowed=e,this.input.accept=e.endings.join(","),b(this.choose,`Choose a ${e.endings.join(" or ")} file`)}drag(e){let t=[...e.dataTransfer?.items??[]].filter(({kind:o})=>o==="file");t.length!==1||/zip/.test(t[0].type)||(e.preventDefault(),e.stopImmediatePropagation(),this.zone.classList.toggle("over",e.type==="dragenter"||e.type==="dragover"),e.type==="drop"&&this.take([...e.dataTransfer?.files??[]]))}async take([e]){if(!e)return;if(!this.allowed.endings.some(o=>e.name.toLowerCase().endsWith(o)))return this.tell({problem:"other"});let t=/\.ipynb$/i.test(e.name);if(e.size>(t?dx:this.allowed.most))return this.tell({problem:"large"});try{let o=await e.arrayBuffer(),s=new TextDecoder(t?"utf-8":px(o),{fatal:!0}).decode(o),r=t?mx(s):s;this.tell(r.length>this.allowed.most?{problem:"large"}:{name:e.name,text:r})}catch{this.tell({problem:"binary"})}}close(){this.ended.abort()}}});var Rp={};k(Rp,{legendItems:()=>Io});function ux(n){let[e,t]=n.map(({row:o,column:s})=>[o.axis,s.axis]).find(o=>o.every(s=>ir[s]))??[];return e?e===t?`${e} ↓ rows, → columns: ${ir[e]}`:`${e} ↓ ${ir[e]}, ${t} → ${ir[t]}`:"↓ rows, → columns"}function Io(n,e,t){let o=[],s=(u,...f)=>{let g=c("div","item",...f,c("span","",u));return o.push(g),g},r=(u,f,g)=>{let w=c("div","bar");w.style.background=`linear-gradient(to right, ${f.map(ue).join(", ")})`;let v=c("div","ticks",...g.map(L=>c("span","",L)));s(u,c("div","",w,v))},i=(u,f)=>{let g=c("div","swatch");return g.style.background=f,s(u,g)},a=[...t.negative.slice(1).reverse(),...t.positive],l=u=>[`-${hn({},u)}`,"0",hn({},u)],d=new Set(n.map(u=>u.kind)),m=(u,f)=>{let g=new Map(f.map(w=>[w.most,w.tensor.output?"output":"input"]));for(let[w,v]of g)r(g.size>1?`${u}, ${v}`:u,a,l(w))},h=n.filter(({row:u,column:f})=>u.axis&&f.axis);h.length&&o.push(c("div","item",ux(h))),m("number",n.filter(u=>u.kind==="signed"&&u.coloured)),d.has("probability")&&r("probability",t.probability,["0","0.5","1"]),m("gradient of the loss",e.filter(u=>u.coloured)),d.has("mask")&&i("allowed",ue(t.allowed));let p=n.filter(u=>u.hidden);if(p.length){let u=f=>p.some(g=>g.hidden?.some(w=>w&f));i("hidden by the causal mask",yo(t,dt)).classList.toggle("unused",!u(dt)),i("hidden by the padding mask",yo(t,Ct)).classList.toggle("unused",!u(Ct)),u(Mt)&&i("hidden by the window",yo(t,Mt))}return o}var ir,ar=y(()=>{Le();S();ir={S:"input tokens",T:"decoder tokens"}});var Hp={};k(Hp,{default:()=>bx});function wx(){let n=document.querySelector(`[${Oe}]`);return n!==null&&n.getAttribute(Oe)!=="notRunning"}function yx(n,e){let t=document.querySelector(n);t&&typeof e=="string"&&b(t,e)}var fx,Op,Np,gx,bx,tl,Pp=y(()=>{Ie();ne();I();S();fx=1e3,Op=5e3,Np=200,gx=50,bx=C([],()=>new tl,(n,{data:e,setTriggerValue:t})=>n.show(e,()=>t("changed",!0)));tl=class{followed=new Map;data;ask;timer=0;drawn=0;asked=!1;reported=new WeakSet;busy=-Np;show(e,t){if(this.ask=t,e.at===this.data?.at)return;let{shown:o={},again:s}=e;for(let[r,i]of this.followed)r in o||(i.close(),this.followed.delete(r));for(let r of Object.keys(o))this.followed.has(r)||this.followed.set(r,new kt(r,()=>this.check()));Object.assign(this,{data:e,drawn:performance.now(),asked:!1}),clearTimeout(this.timer),s===void 0?this.check():this.repeat(1e3*s)}get news(){return Object.entries(this.data.shown??{}).flatMap(([e,t])=>{let o=this.followed.get(e);if(!o)return[];if(o.gone)return this.reported.has(o)?[]:[o];let s=Object.keys(t).map(r=>o.values[r]??null);return o.at&&JSON.stringify(s)!==JSON.stringify(Object.values(t))?[o]:[]})}check(){let{at:e,wait:t,texts:o={}}=this.data;for(let l of this.followed.values())if(l.gone||this.reported.delete(l),l.at>e)for(let[d,m]of Object.entries(o))yx(m,l.values[d]);if(this.asked)return;clearTimeout(this.timer);let{news:s}=this;if(!s.length)return;let r=performance.now(),i=s.every(l=>l.at<=e),a=this.drawn+Math.max(i?fx:0,1e3*t)-r;if(a>0)return this.later(a);if(wx()&&(this.busy=r),r-this.busy<Np)return this.later(gx);this.asked=!0,this.later(Op);for(let l of s)l.gone&&this.reported.add(l);this.ask()}later(e){this.timer=setTimeout(()=>{this.asked=!1,this.check()},e)}repeat(e){this.timer=setTimeout(()=>{this.ask(),this.repeat(Op)},e)}close(){clearTimeout(this.timer);for(let e of this.followed.values())e.close()}}});var Ip,zp=y(()=>{Ip=`.progress {
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
`});var Dp={};k(Dp,{default:()=>kx});var kx,nl,Bp=y(()=>{j();zp();Ie();I();S();kx=C([R,Ip],n=>new nl(n),(n,{data:e})=>n.show(e)),nl=class{status=c("span","status",{ariaLive:"polite"});text=c("span","text");fill=c("i");bar=c("div","bar",this.fill,{role:"progressbar",ariaValueMin:"0",ariaValueMax:"100"});root=c("div","progress",c("div","line",this.status," ",this.text),this.bar);live=new ze(()=>this.draw());data;constructor(e){this.root.dataset.testid="progress",e.append(this.root)}show(e){this.data=e,this.live.show(e),this.draw()}draw(){let{field:e,label:t}=this.data,o=e&&this.live.isNewer?this.live.values[e]:this.live.values;if(!o)return;let{status:s="",text:r,done:i,colour:a="gray",meaning:l=""}=o;b(this.status,s),this.status.title=l,b(this.text,r),this.status.style.color=`var(--st-${a}-text-color)`,this.status.style.background=`var(--st-${a}-background-color)`,this.status.hidden=!s,this.fill.className=i===null?"unknown":"",this.fill.style.width=i===null?"":`${100*i}%`,this.bar.ariaValueNow=i===null?null:String(Math.round(100*i)),this.bar.ariaLabel=t||`${s} ${r}`}close(){this.live.close(),this.root.remove()}}});var Up,Wp=y(()=>{Up=`/* The architecture diagram: what a page adds to the drawing, which has its own look. */
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
`});var jp={};k(jp,{default:()=>Ex});function Lx(n,e,[t,o]){let s=l=>{let d=(l.querySelector(".box")??l).getBoundingClientRect();return[d.x+d.width/2,d.y+d.height/2]},[r,i]=s(e),a=null;for(let l of n){let[d,m]=s(l),h=(d-r)*t+(m-i)*o,p=Math.abs((d-r)*o)+Math.abs((m-i)*t);if(l===e||h<=p)continue;let u=h+2*p;u<(a?.far??1/0)&&(a={part:l,far:u})}return a?.part}var Tx,Ex,ol,qp=y(()=>{Wp();ce();Cn();de();Bs();I();Tx={ArrowUp:[0,-1],ArrowDown:[0,1],ArrowLeft:[-1,0],ArrowRight:[1,0]},Ex=C([Up],n=>new ol(n),(n,{data:{svg:e,action:t},setTriggerValue:o})=>{n.open=s=>ve({part:s})||o("part",s),n.action=t,n.svg!==e&&n.draw(e),n.unwatch(),n.unwatch=ke.watch(s=>n.light(s))}),ol=class{root;parts=[];stop=null;svg="";action="";open=()=>{};unwatch=()=>{};closing=new AbortController;constructor(e){this.root=e.querySelector(".picture"),this.listen()}close(){this.closing.abort(),this.unwatch(),this.root.replaceChildren()}draw(e){let{activeElement:t}=this.root.getRootNode(),o=t instanceof SVGElement&&t.dataset.part;this.svg=e,this.root.innerHTML=e;let s=this.root.querySelector("svg"),r=s?.querySelector("title");if(!s||!r)throw new Error("The picture is no drawing with a title.");Object.assign(s,{role:"group",ariaLabel:`${r.textContent}: parts, arrow keys move`}),r.remove(),this.parts=[...s.querySelectorAll("[data-part]")];for(let i of this.parts){for(let l of i.querySelectorAll("g, text, tspan"))l.after(" ");let a=i.textContent?.replace(/\s+/g," ").trim();Object.assign(i,{role:"button",ariaLabel:`${i.dataset.name}: ${a}`}),i.setAttribute("aria-description",`${i.dataset.shape}. ${i.dataset.tip}`)}this.setStop(this.parts.find(i=>i.dataset.part===o)??this.parts[0]),o&&this.stop?.focus({preventScroll:!0})}setStop(e){for(let t of this.parts)t.setAttribute("tabindex",t===e?"0":"-1");this.stop=e}light(e){this.root.querySelector("svg")?.classList.toggle("whole",!!e?.whole);for(let t of this.parts){let o=e?.parts?e.parts.includes(t.dataset.part??""):t.dataset.part===e?.part;t.classList.toggle("lit",o),t.ariaCurrent=o?"step":null,o&&!this.root.matches(":focus-within")&&this.setStop(t)}for(let t of this.root.querySelectorAll("[data-along]")){let o=t.dataset.along===e?.along;t.classList.toggle("along",o),t.classList.toggle("joined",o&&!!e?.joined)}for(let t of this.root.querySelectorAll("[data-stack]")){let o=t.querySelector(".times");if(!o)continue;let s=o.dataset.all??=o.textContent??"",r=t.dataset.stack===e?.stack;t.classList.toggle("here",r),o.textContent=r?s.replace("×",`layer ${e?.layer} of`):s}}listen(){let{signal:e}=this.closing,t=(s,r)=>this.root.addEventListener(s,i=>{let a=i.target instanceof Element&&i.target.closest("[data-part]");a&&r(a,i)},{signal:e}),o=s=>Is(s,s.dataset.name,s.dataset.shape,s.dataset.tip,this.action);t("pointerover",(s,r)=>r.pointerType!=="touch"&&o(s)),t("pointerout",Ds),t("focusin",s=>{this.setStop(s),s.matches(":focus-visible")&&o(s)}),t("focusout",lt),t("click",s=>this.open(s.dataset.part)),t("keydown",(s,r)=>{if(r.ctrlKey||r.altKey||r.metaKey)return;let i=Tx[r.key];if(!(!i&&r.key!=="Enter"&&r.key!==" ")){if(le(r),!i)return this.open(s.dataset.part);Lx(this.parts,s,i)?.focus()}})}}});var Gp={};k(Gp,{explain:()=>rl,restore:()=>il});function rl({head:n,prose:e,formula:t}){let o=document.querySelector(`${sl} ${_p}`)?.innerHTML??"",s=[[".operation",n],[".sentence",e]];for(let[a,l]of s){let d=document.querySelector(`${sl} ${a}`)?.parentElement;if(!d)continue;let m=Do.find(u=>u.node===d),h=m&&m.now===d.innerHTML?m.before:d.innerHTML;d.innerHTML=l;let p=d.querySelector(_p);p&&(p.innerHTML=o),Do=[...Do.filter(u=>u!==m),{node:d,before:h,now:d.innerHTML}]}let r=Pt?.drawn.isConnected?Pt.drawn:document.querySelector(`${sl} .katex-display`);if(!r)return;Pt?.own.remove();let i=c("div","followed-formula");i.innerHTML=t,r.style.display="none",r.after(i),Pt={drawn:r,own:i}}function il(){for(let{node:n,before:e,now:t}of Do)n.innerHTML===t&&(n.innerHTML=e);Do=[],Pt&&(Pt.own.remove(),Pt.drawn.style.display=""),Pt=null}var sl,_p,Do,Pt,al=y(()=>{ne();S();sl=_("slide-operation"),_p=".time-message",Do=[],Pt=null});var Fp={};k(Fp,{asker:()=>cl,question:()=>dl});function dl(n,e,t,o){let s=new URLSearchParams({operation:e,at:t.join(","),...o&&{gradient:"1"}});return new URL(`./walk/${encodeURIComponent(n||"none")}/cell?${s}`,document.baseURI).href}var Sx,Cx,ll,cl,hl=y(()=>{ct();Sx=500,Cx=1e4,ll={lines:[],strips:[]},cl=()=>new Be(Sx,async(n,e)=>{try{let t=await Ee(n,Cx,e);return t.status===410?{...ll,gone:!0,problem:""}:t.ok?await t.json():{...ll,problem:await t.text()}}catch{return{...ll,problem:"Server not responding. Point at the cell again."}}})});var Qp={};k(Qp,{Expression:()=>Wo});function Jp(n){return n.terms.length>0&&n.terms.every(e=>e.every(t=>t===0||t===1))}function Hx(n,e){let t=c("div","line"),o=ut("maths",`Expression ${n.name||e+1}`);for(let[s,r]of[["symbolic",n.symbolic],["numbers",n.numbers]]){let i=c("span",s);i.innerHTML=r,o.append(s==="numbers"?"=":"",i)}return t.append(o),n.name&&!o.textContent.startsWith(n.name)&&o.prepend(c("span","name",n.name)),n.terms.length&&t.append(Px(n)),t}function Px(n){let e=n.terms[0].length-1,t=(i,a)=>[i,...a].map(l=>l.padStart(Bo)).join(""),o=[t(n.over,n.terms.map((i,a)=>String(n.indices?.[a]??a+1)))],s=Xp(n);for(let i=0;i<e;i++)o.push(t(i&&s?"×":"",n.terms.map(a=>ml(a[i]))));if(e!==1||n.terms.some(i=>i[0]!==i[1])){let i=n.terms.some(a=>a.some(l=>Number(ml(l))!==l));o.push(t(s?i?"≈":"=":"→",n.terms.map(a=>ml(a[e]))))}let r=ut("terms",`${n.terms.length} terms${n.name&&` of ${n.name}`}`,c("pre","",o.join(`
`)));return Yp.set(r,n),r}function Xp(n){return n.terms.every(e=>{let t=e.slice(0,-1).reduce((o,s)=>o*Number(s),1);return e.length>2&&Math.abs(t-Number(e.at(-1)))<=1e-6*Math.max(1,Math.abs(t))})}function ml(n){let e=Q(n);return e.length<Bo?e:Number(n).toExponential(1)}function zx(n){let e=n.terms.length;return e<2?Q(n.value):`${Q(n.value)}, sum of ${e} ${Xp(n)?"products":"terms"}`}function Ix(n,e){let t=w=>w/2*(1+Dx(w/Math.SQRT2)),o=w=>w/(1+Math.exp(-w)),[s,r]={relu:["ReLU",w=>Math.max(0,w)],gelu:["GELU",t],swish:["Swish",o]}[n],i=Math.max(3,Math.ceil(Math.abs(e))),a=i,l=-i/4,[d,m]=[160,100],h=w=>(w+i)/(2*i)*d,p=w=>m-(w-l)/(a-l)*m,f=Array.from({length:81},(w,v)=>-i+2*i*v/80).map((w,v)=>`${v?"L":"M"}${h(w).toFixed(1)} ${p(r(w)).toFixed(1)}`).join(""),g=c("div","curve");return g.innerHTML=`<svg viewBox="-6 -6 ${d+12} ${m+12}" role="img"
    aria-label="${n} at ${Q(e)} is ${Q(r(e))}">
    <path class="axis" d="M0 ${p(0)}H${d}M${h(0)} 0V${m}"/><path class="graph" d="${f}"/>
    <path class="drop" d="M${h(e)} ${p(0)}V${p(r(e))}H${h(0)}"/>
    <circle cx="${h(e)}" cy="${p(r(e))}" r="4.5"/></svg>`,g.append(c("span","",`${s}(${Q(e)}) ${[e,r(e)].every(w=>Number(Q(w))===w)?"=":"≈"} ${Q(r(e))}`)),g}function Dx(n){let e=1/(1+.3275911*Math.abs(n)),t=e*(.254829592+e*(-.284496736+e*(1.421413741+e*(-1.453152027+e*1.061405429))));return Math.sign(n)*(1-t*Math.exp(-n*n))}var Mx,$x,Kp,Bo,Ax,Rx,Ox,Nx,Vp,Yp,Wo,pl=y(()=>{Ot();S();Mx=400,$x=640,Kp="playground worked cell",Bo=9,Ax=1e-4,Rx=.01,Ox="The model's own number differs from this calculation, by more than rounding.",Nx="The model computes with about 7 digits (float32). This calculation uses 16, so small numbers can differ.",Vp={axis:"",labels:"",names:null,first:0,count:1,size:1},Yp=new WeakMap,Wo=class{root;onFold;open;operation="";where=c("div","where");folder=x("folder","",()=>this.fold(!this.folded),{ariaKeyShortcuts:"e",ariaLabel:"Calculation of the cell"});folded=innerWidth<=$x;strips=c("div","strips");lines=c("div","lines wrap");live=c("div","live unseen",{ariaLive:"polite"});tiles=[];theme;parameters=[];cell=null;speaking;hint="";constructor(e,t,o){this.root=e,this.onFold=t,this.open=o;let s=J("sessionStorage",Kp);s&&(this.folded=s==="folded"),e.setAttribute("aria-label","How the cell was computed"),e.append(c("div","head",this.folder,this.where),this.strips,this.lines,this.live),this.showFolded()}fold(e){this.folded=e,G("sessionStorage",Kp,e?"folded":"open"),this.showFolded(),this.onFold()}showFolded(){let{folder:e,folded:t}=this;this.root.classList.toggle("folded",t),e.textContent=t?"▸":"▾",e.title=`${t?"Show":"Hide"} the calculation. Key e`,e.ariaExpanded=String(!t)}expect(e,t,o){for(this.operation=e,this.theme=o,this.parameters=t,this.strips.classList.toggle("none",!t.length);this.tiles.length<t.length;){let s=To(this.strips);s.node.removeAttribute("role"),s.node.tabIndex=-1,s.scroller.tabIndex=0,this.tiles.push(s)}for(;this.tiles.length>t.length;)this.tiles.pop()?.node.remove();this.clear()}clear(){this.cell=null,this.root.classList.remove("waiting"),this.where.replaceChildren(c("span","hint",this.hint)),this.lines.replaceChildren(),this.showStrips([]),this.speak("")}point(e,t,o,s=()=>{}){let r=[c("span","position cut",e),c("b","value",e&&t?` = ${t}`:t)];o&&r.push(x("unlock","Unpin",s,{title:"Escape"})),this.where.replaceChildren(...r),this.root.classList.add("waiting")}value(e,t){this.point(e,t,!1),this.root.classList.remove("waiting")}bare(e){this.cell=null,this.root.classList.remove("waiting"),this.lines.replaceChildren(),this.showStrips([]),this.speak(e)}tell(e,t,o){if(this.root.classList.remove("waiting"),this.cell===e)return;if(this.cell=e,e.problem){this.lines.replaceChildren(c("p","problem",e.problem)),this.showStrips([]);return}let[s,...r]=[...e.lines].reverse(),i=r.reverse().sort((h,p)=>Number(Jp(h))-Number(Jp(p))),a=[s,...i].map(Hx);e.curve&&a.push(Ix(...e.curve));let l=e.readers?.filter(([,h])=>h!==this.operation)??[];if(l.length){let h=l.length<(e.readers?.length??0),p=l.map(([u,f])=>x("",u,()=>this.open(f)));a.push(c("p","readers small soft",h?"Also handed back by":"Handed back by",...p))}e.remark&&a.push(c("p","small soft",e.remark));let d=Math.abs(Number(o)-Number(s.value)),m=Math.max(...[o,s.value,...s.terms.map(h=>h.at(-1))].map(h=>Math.abs(Number(h))));d>Rx*m?a.push(c("p","small soft",Ox)):d>Ax*Math.abs(Number(s.value))&&a.push(c("p","small soft",Nx)),this.lines.replaceChildren(...a),this.showStrips(e.strips),this.speak(t&&`${t} = ${zx(s)}`)}speak(e){!e||e===this.live.textContent||(clearTimeout(this.speaking),this.speaking=setTimeout(()=>this.live.textContent=e,Mx))}showStrips(e){let t=this.tiles.filter((o,s)=>{let{name:r,title:i}=this.parameters[s],a=e.find(m=>m.tensor===r);if(o.title.textContent=a?a.title:i,o.node.classList.toggle("empty",!a),!a)return!1;let l=Math.max(...a.values.map(Math.abs))||1,d=a.values.length;return o.grid={strip:!0,kind:"signed",title:a.title,rows:1,columns:d,values:Float32Array.from(a.values),row:Vp,column:Vp,marked:null,coloured:!0,most:l,whole:!1,hidden:null},Xe(o,this.theme),o.axes="",o.node.style.flex=d>1?"1 1 0":"none",Eo(o,this.theme),!0});for(let o of t)mt(o,Se(o,0,1/0),1/0,0);for(let o of t)mt(o,o.box,1/0,0),o.scroller.scrollLeft=0,Re(o,this.theme)}progress(e,t,o){let r=[...this.lines.querySelectorAll(".terms")].find(d=>Yp.get(d)===e);if(!r)return;this.root.classList.add("making"),r.style.setProperty("--done",`${(t+1)*Bo}ch`),r.classList.add("growing");let i=r.querySelector("pre"),a=i&&r.clientWidth&&i.offsetWidth/((e.terms.length+1)*Bo);r.scrollLeft=Math.max(0,(t+2)*Bo*(a??0)-r.clientWidth);let l=this.where.querySelector(".value");l&&(l.textContent=e.name?` · ${e.name} so far ${o}`:` = ${o} so far`)}grown(){this.root.classList.remove("making");for(let e of this.lines.querySelectorAll(".growing"))e.classList.remove("growing")}}});var Zp={};k(Zp,{play:()=>gl,scene:()=>fl});function fl(n,e){let{expression:t}=n;return{blank(o){n.made={tensor:e.tensor,slope:e.slope,cell:o},n.repaint()},light(o,s){n.pointed=o,n.marks.clear(),n.showInputs();let r=n.find(o);r&&n.marks.cross(r,!1),n.sources(s),t.point(n.whereOf(o),"…",!1),t.tell(s,n.inWords(o))},progress:(o,s,r)=>t.progress(o,s,r),landed(o,s){t.grown(),t.value(n.whereOf(o),s)},cell:()=>n.find(e),say:o=>n.nodes.announcement.textContent=o}}async function gl(n,e,t,o){let s=Y(),r=h=>new Promise(p=>{let u=setTimeout(p,h);o.addEventListener("abort",()=>(clearTimeout(u),p()),{once:!0})});n.blank(()=>!1),n.light(e,t),n.say("These are the numbers it is computed from.");let i=[...t.lines].reverse().find(h=>h.terms.length)??null;if(i&&n.progress(i,0,"…"),await r(ul),i&&!o.aborted){let h=jx(i),p=i.terms.length,u=Math.min(Wx,Bx/p),f=s?p:Math.max(1,Math.round(16/u));for(let g=f;!o.aborted&&(n.progress(i,g,h?Q(h[g-1]):"…"),n.say(`${g} of ${p} terms${i.name?` of ${i.name}`:""}${h?`, so far ${Q(h[g-1])}`:""}.`),await r(s?ul:u*f),!(g>=p));g=Math.min(p,g+f));}if(o.aborted)return;let a=n.cell();if(!a)return;let{grid:l,row:d,column:m}=a;n.blank((h,p,u)=>h===e.head&&p===d&&u===m),n.landed(e,et(l,d*l.columns+m)),n.say("This is its value. All other cells are computed the same way."),await r(ul);for(let h=1;!s&&h<l.rows&&!o.aborted;h++)n.blank((p,u,f)=>u<h||p===e.head&&u===d&&f===m),await r(Ux/l.rows)}function jx(n){let e=n.terms.map(o=>o.at(-1)??-1/0),t=o=>e.reduce((s,r)=>[...s,s.length?o(s[s.length-1],r):r],[]);return n.name&&e.length>1&&Math.max(...e)===(n.value??-1/0)?t(Math.max):e.every(Number.isFinite)?t((o,s)=>o+s):null}var ul,Bx,Wx,Ux,bl=y(()=>{Z();S();ul=900,Bx=3200,Wx=420,Ux=1600});var eu={};k(eu,{frame:()=>wl,write:()=>Uo});function Uo(n,e){for(let t of n.children)t.classList.toggle("unused",t.textContent!==e)}function wl(n,e){let t=(a,l,d)=>{let m=c("button","",...[a].flat().map((h,p)=>c("span",p?"unused":"",h)));return d&&Object.assign(m,{ariaKeyShortcuts:d,title:`Key ${d}`}),m.addEventListener("click",l),m},o={tableButton:t(["Show as table","Show as heatmap"],e.table,"t"),playButton:t(["Compute slowly","Stop"],e.compute,"p"),allButton:t("All heads",e.all,"0"),announcement:c("span","announcement cut",{role:"status"}),clipboard:c("textarea","clipboard",{readOnly:!0,hidden:!0,ariaLabel:"The numbers, to copy"}),inputs:c("div","area inputs wrap"),arrow:c("div","arrow",{ariaHidden:"true"}),outputs:c("div","area outputs wrap"),tables:c("div","tables"),legend:c("div","legend wrap"),panel:c("section","expression")},s=[t("Copy as text",e.text),t("Copy as NumPy",e.numpy)],r=c("div","actions wrap",o.tableButton,o.playButton,...s,o.announcement,o.allButton),i=c("div","sides",o.inputs,o.arrow,o.outputs);return n.append(r,o.clipboard,i,o.tables,o.legend,o.panel),{sides:i,...o}}var yl=y(()=>{S()});var tu={};k(tu,{Looks:()=>jo});var jo,xl=y(()=>{jo=class{now={table:!1,head:null,cell:null,gradient_of:""};received="";reported=[];adopt(e,t){let o=JSON.stringify(e),s=this.reported.indexOf(o);s>=0&&this.reported.splice(0,s+1),(s<0?t||o!==this.received:!this.reported.length)&&(this.now=e,this.reported=[]),this.received=o}change(e){return this.now={...this.now,...e},this.reported.push(JSON.stringify(this.now)),this.now}}});var ou,nu=y(()=>{ou=`/* Heatmaps whose rows light together, each head with its caption. */
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
`});var su={};k(su,{default:()=>Vx});var _x,Gx,Fx,Kx,Vx,kl,ru=y(()=>{pt();j();$n();nu();Z();Le();Zt();tn();Ve();Ot();ce();de();ne();I();S();_x=270,Gx=480,Fx=600,Kx=30,Vx=C([he,R,Je,ou],n=>new kl(n),(n,{data:e,setTriggerValue:t})=>{n.tell=t,n.show(ee(e))}),kl=class{root;box;announcement=c("div","announcement small",{role:"status"});area=c("div","area");sizes=new ResizeObserver(()=>this.room()!==this.width&&this.layOut());unwatch;tell=()=>{};groups=[];followed=new WeakMap;cursors=new WeakMap;at=null;width=0;before=0;uncovered="";data;constructor(e){this.root=e,this.box=e.querySelector(".maps"),this.box.append(this.announcement,this.area),this.area.addEventListener("pointermove",t=>this.point(this.below(t))),this.area.addEventListener("pointerleave",()=>this.point(null)),this.area.addEventListener("click",t=>this.choose(this.below(t))),this.area.addEventListener("keydown",t=>this.press(t)),this.area.addEventListener("focusin",t=>this.enter(t.target)),this.area.addEventListener("focusout",()=>this.point(null)),this.sizes.observe(this.box),this.unwatch=re.watch(()=>this.layOut())}close(){this.sizes.disconnect(),this.unwatch(),this.box.replaceChildren()}show(e){this.data=e;let{tensors:t}=e;for(;this.groups.length<t.length;)this.groups.push(new ye(this.area));for(;this.groups.length>t.length;)this.groups.pop()?.remove();let o=F(this.root);this.groups.forEach((s,r)=>{let i=t[r],a=Array.from(i.values).reduce((l,d)=>Number.isFinite(d)?Math.max(l,Math.abs(d)):l,0);i.scale=a||1,s.fill(i,We(i),{},o,null),s.tiles.forEach((l,d)=>{let m=l.node.getAttribute("aria-label")??"";l.node.setAttribute("aria-label",m.replace(" Enter locks.",e.chooses?" Enter chooses the cell.":"")),this.foot(l,i,r,d);let{rows:h,columns:p}=l.grid,u=e.held&&l.room?l.room:{rows:h,columns:p};l.room={rows:Math.max(h,u.rows),columns:Math.max(p,u.columns)}})}),this.layOut(),this.uncover()}uncover(){let{chosen:e}=this.data,t=this.uncovered;if(this.uncovered=`${e}`,!e||!t||this.uncovered===t)return;let{node:o}=this.groups[e[0]].tiles[e[1]];o.classList.add("uncovered"),o.scrollIntoView({block:"nearest",behavior:Y()?"auto":"smooth"}),o.classList.remove("uncovered")}foot(e,t,o,s){let r=this.data.notes[o]?.[s],i=JSON.stringify([r,this.data.opens,t.name,t.title]),a=e.node.querySelector(":scope > .foot");if(a?.dataset.key===i)return;a?.remove();let l=c("div","foot small");l.dataset.key=i;let d=r?.text?c("span","term",r.text,{tabIndex:0,role:"button"}):null;if(d?.setAttribute("aria-description",r.help),r&&l.append(c("div","role-of",d)),this.data.opens){let m={title:"Open this head in Step through",ariaLabel:`Open in Step through: ${t.title}, head ${s+1}`};l.append(x("small-button","Open",()=>this.tell("open",[t.name,s]),m))}l.children.length&&e.node.append(l)}room(){let e=this.box.clientWidth;return e===this.before&&e>this.width&&e<this.width+Kx?this.width:e}layOut(){if([this.before,this.width]=[this.width,this.room()],!this.width||!this.data)return;let e=F(this.root),t=this.slideHeight();if(this.area.classList.toggle("beside",t>0||!this.data.opens),t)xa(this.groups,this.width,t,e);else for(let o of this.groups)o.node.style.width="",So(o,this.width,this.width<Fx?Gx:_x,e);this.data.follows&&this.follow(),this.light()}follow(){for(let e of this.groups.flatMap(({tiles:t})=>t)){let{columns:t}=e.grid,o=`${t} ${this.width}`;o!==this.followed.get(e.node)&&Qe(e,0,t-1),this.followed.set(e.node,o)}}slideHeight(){let e=this.box.isConnected&&re.value?(this.root.host??this.root).closest(K):null,t=e?.querySelector(Bn);return e&&t?Math.max(1,e.clientHeight-(t.offsetHeight-this.area.offsetHeight)):0}below({clientX:e,clientY:t}){for(let[o,{tiles:s}]of this.groups.entries())for(let[r,i]of s.entries()){let a=At(i,e,t);if(a)return{group:o,tile:r,...a};let l=i.layer.getBoundingClientRect(),d=At(i,l.left+i.box.gutter+1,t);if(d&&e>=l.left&&e<l.left+i.box.gutter)return{group:o,tile:r,row:d.row,column:null}}return null}point(e){this.at=e,this.light()}light(){let{at:e,data:t}=this,o=e&&this.groups[e.group].tensor.rows;this.groups.forEach((s,r)=>{let{rows:i}=s.tensor,a=o&&i.axis===o.axis&&e.row<i.count?e.row:null;s.tiles.forEach((l,d)=>{let m=[],h=(u,f,g,w=1)=>m.push({name:u,rows:[f,f+1],columns:[g,g+w]});a!==null&&h("row",a,0,l.grid.columns);let{chosen:p}=t;p&&p[0]===r&&p[1]===d&&h("chosen",p[2],p[3]),e&&e.group===r&&e.tile===d&&e.column!==null&&h("cell",e.row,e.column),l.box&&Rt(l,m)})}),b(this.announcement,e?this.words(e):"")}words({group:e,tile:t,row:o,column:s}){let{tensor:r,tiles:i}=this.groups[e],{grid:a}=i[t],[l,d,m]=this.data.words,h=[r.title,a.title,Ge(l,a.row,o)].filter(Boolean).join(", ");return s===null?h:`${h}, ${Ge(d,a.column,s)}: ${m} ${et(a,o*a.columns+s)}`}choose(e){!this.data.chooses||!e||e.column===null||this.tell("pair",[this.data.tensors[e.group].name,e.tile,e.row,e.column])}enter(e){for(let[t,{tiles:o}]of this.groups.entries()){let s=o.findIndex(d=>d.node===e);if(s<0)continue;let{grid:r,node:i}=o[s],{row:a,column:l}=this.cursors.get(i)??{row:0,column:0};this.point({group:t,tile:s,row:Math.min(a,r.rows-1),column:Math.min(l,r.columns-1)})}}press(e){let{at:t}=this,o=t&&this.groups[t.group].tiles[t.tile];if(!o||o.node!==e.target||t.column===null)return;if(e.key==="Enter")return this.choose(t);let s=Qt(e,o.grid,{row:t.row,column:t.column});s&&(le(e),this.cursors.set(o.node,s),Qe(o,s.row,s.column),this.point({...t,...s}))}}});var au={};k(au,{asNumpy:()=>Sl,asText:()=>Ll,copy:()=>Cl,tableCell:()=>lr,tables:()=>Tl,tint:()=>El});function Tl(n){return n.flatMap(e=>e.grids.map(t=>{let o=[e.tensor.title,t.title,e.note].filter(Boolean).join(", "),s=[t.row.axis&&`${t.row.axis} ↓`,t.column.axis&&`${t.column.axis} →`].filter(Boolean).join(" "),r=(l,d)=>Array.from({length:d},(m,h)=>Ne(l,h)),i=Array.from({length:t.rows},(l,d)=>Array.from({length:t.columns},(m,h)=>{let p=d*t.columns+h;return c("td",t.hidden?.[p]||t.values[p]===-1/0?"hidden":"",Mr(t,p))})),a=nn(o,i,{rows:r(t.row,t.rows),columns:r(t.column,t.columns),caption:o,corner:s});return t.marked!==null&&a.querySelector("tbody")?.rows[t.marked].classList.add("marked"),Object.assign(a,{grid:t})}))}function El(n,e){for(let o of n.querySelectorAll(`.${vl}`))o.classList.remove(vl);let t=n.querySelector("tbody")?.rows??[];for(let o of e.filter(({name:s})=>s!=="cross"))for(let s=Math.max(0,o.rows[0]);s<Math.min(t.length,o.rows[1]);s++){let r=t[s].cells;for(let i=Math.max(0,o.columns[0]);i<Math.min(r.length-1,o.columns[1]);i++)r[i+1].classList.add(vl)}}function lr(n){let e=n instanceof Element?n.closest("tbody td"):null;return e&&{row:e.parentNode.sectionRowIndex,column:e.cellIndex-1}}function Ll(n,e){return e.map(t=>{let o=["",...Array.from({length:t.columns},(r,i)=>Ne(t.column,i))].join("	"),s=Array.from({length:t.rows},(r,i)=>{let a=iu(t,i).map(l=>t.whole?String(l):Q(l));return[Ne(t.row,i),...a].join("	")});return[[n.title,t.title].filter(Boolean).join(", "),o,...s].join(`
`)}).join(`

`)}function Sl(n,e){let t=n.kind==="mask"?"bool":n.whole?"int64":"float32",o=l=>t==="bool"?l?"True":"False":l===-1/0?"-np.inf":Jx(l),s=(l,d)=>`[${Array.from({length:l.rows},(h,p)=>`[${iu(l,p).map(o).join(", ")}]`).join(`,
${d} `)}]`,r=n.heads?`[${e.map(l=>s(l,"           ")).join(`,
          `)}]`:s(e[0],"          "),i=n.heads?mn("heads",{first:e[0].head,count:e.length,size:n.heads.size},1):"";return`# ${[n.name,i,mn("columns",n.columns,0)].filter(Boolean).join(", ")}
np.array(${r}, dtype=np.${t==="bool"?"bool_":t})
`}function iu(n,e){return Array.from(n.values.subarray(e*n.columns,(e+1)*n.columns))}function Jx(n){for(let e=6;e<9;e++){let t=String(Number(n.toPrecision(e)));if(Math.fround(Number(t))===n)return t}return String(Number(n.toPrecision(9)))}async function Cl(n,e){try{return await navigator.clipboard.writeText(n),"Copied."}catch{return e.value=n,e.hidden=!1,e.focus(),e.select(),"Press Ctrl+C to copy."}}var vl,cr=y(()=>{S();Ao();vl="chosen"});var lu={};k(lu,{Marks:()=>qo});function Ml({tensor:n,head:e,slope:t}){return`${n.index} ${e} ${t}`}var Yx,Xx,Qx,qo,$l=y(()=>{cr();Ot();[Yx,Xx,Qx]=[1,2,3],qo=class{regions=new Map;clear(){this.regions.clear()}cross({grid:e,row:t,column:o},s){let[r,i]=[[t,t+1],[o,o+1]];s||(this.add(e,{name:"cross",rows:r,columns:[0,e.columns]}),this.add(e,{name:"cross",rows:[0,e.rows],columns:i})),this.add(e,{name:s?"cell faint":"cell",rows:r,columns:i})}source({tensor:e,grids:t},o,s){let r=(p,u)=>o[e.axes.indexOf(p)]??[0,u],[i,a]=r(Yx,1/0),l=r(Xx,e.rows.count),[d,m]=r(Qx,e.columns.size).map(p=>p-e.columns.first),h=[Math.max(0,d),Math.min(e.columns.count,m)];if(!(h[0]>=h[1]))for(let p of t)p.slope===s&&p.head>=i&&p.head<a&&this.add(p,{name:"source",rows:l,columns:h})}add(e,t){let o=Ml(e);this.regions.set(o,[...this.regions.get(o)??[],t])}paintTables(e){for(let t of e)El(t,this.regions.get(Ml(t.grid))??[])}paintTiles(e,t){for(let o of e)for(let s of o.tiles){let r=this.regions.get(Ml(s.grid))??[],i=r.find(({name:a})=>a==="source");i&&t!==o.tensor.index&&Qe(s,i.rows[0],i.columns[0]),Rt(s,r),s.marks.classList.toggle("veiled",r.length===1&&r[0].name==="source")}}}});var du,cu=y(()=>{du=`/* Matrices of a lesson stand beside each other where there is room. */
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
`});var mu={};k(mu,{default:()=>n0});function n0({data:n,parentElement:e}){fe(e,[he,R,Js,Hn,du]);let{tensors:t,labels:o,styles:s}=ee(n),r=F(e);e.querySelector(".matrices").replaceChildren(...t.map((a,l)=>o0(a,o,s[l],r)))}function o0(n,e,{digits:t,names:o,letter:s},r){let{rows:i,columns:a,heads:l}=n,d=c("figcaption","",c("b","",n.title)," ",c("span","shape small soft",hu(n,s))),m=Array.from({length:l?.count??1},(h,p)=>{let u=o[p]?c("div","small soft",o[p]):null,f=i.count*a.count<=e0?s0(n,p,{digits:t,names:o},e,r):Nn(n,r,{head:p,long:t0,most:n.scale,label:`${n.title}, ${hu(n,s)}, as a picture`});return c("div","",u,f)});return c("figure","",d,c("div","heads wrap",...m))}function hu({rows:n,columns:e,heads:t},o){let s=[...t?[{axis:o,count:t.count}]:[],n,e],r=s.filter(({axis:l})=>l),i=r.length&&s.every(({axis:l,count:d})=>l||d===1),a=(l,d)=>l.map(({count:m})=>m).join(d);return i?`(${r.map(({axis:l})=>l).join(", ")}) = (${a(r,", ")})`:a(s," × ")}function s0(n,e,{digits:t,names:o},s,r){let{rows:i,columns:a,values:l,kind:d,title:m}=n,h=e*i.count*a.count,p={kind:d,coloured:!0,most:n.scale||1},u=Array.from({length:i.count},(g,w)=>Array.from({length:a.count},(v,L)=>{let E=l[h+w*a.count+L],T=c("td","",r0(E,d,t)),$=Ws(p,E,r);return T.style.background=ue(Array.from($)),T.style.color=wo($),T})),f=[m,o[e],"table"].filter(Boolean).join(", ");return nn(f,u,{rows:s[i.labels]?.names,columns:s[a.labels]?.names})}function r0(n,e,t){if(Number.isNaN(n))return"nan";if(n===-1/0)return"−∞";if(e==="mask")return n?"1":"0";let o=n.toFixed(t);return(Number(o)===0?o.replace("-",""):o).replace("-","−")}var e0,t0,pu=y(()=>{pt();j();Na();Xs();cu();Z();Le();Ve();S();Ao();Ys();e0=160,t0=320});var fu={};k(fu,{default:()=>i0,statement:()=>dr});function a0(n,e){let t=c("span","line");return t.dataset.number=String(n),t.innerHTML=e||"​",t.style.setProperty("--in",String(t.textContent.search(/\S|$/)+2)),t}var uu,an,dr,i0,Al,Rl=y(()=>{Z();de();I();S();uu="playground name of a tensor",an=!1,dr=new se,i0=C(He,n=>new Al(n),()=>{}),Al=class{lines=c("code","lines");box=c("div","box",this.lines,{tabIndex:0,role:"region"});where=c("span","where");name=c("span","name cut");all=x("small-button","Show all",()=>{an=!an,this.arrange(!1)});figure=c("figure","statement",this.box,c("figcaption","",this.where,this.name,this.all));call=c("code");naming=c("span");note=c("details","note",c("summary","",this.call,this.naming),"This only gives the tensor a name. The marked statement computed it.",{open:J("sessionStorage",uu)!=="folded"});content="";rows=[];lit=[];observer=new ResizeObserver(()=>this.arrange(!1));unwatch;constructor(e){e.append(this.figure),this.observer.observe(this.lines),this.note.addEventListener("toggle",()=>G("sessionStorage",uu,this.note.open?"open":"folded")),this.unwatch=dr.watch(t=>t&&this.draw(t))}close(){this.observer.disconnect(),this.unwatch(),this.figure.remove()}draw({html:e,first:t,lit:o,where:s,function:r,named:i}){let a=`${t}:${e}`,l=this.content===a;l||(this.content=a,this.rows=e.split(`
`).map((d,m)=>a0(t+m,d)),this.lines.replaceChildren(...this.rows),this.box.ariaLabel=`Source of ${r||"the statement"}`),this.lit=this.rows.slice(Math.max(0,o[0]-t),o[1]-t+1);for(let d of this.rows){let m=this.lit.includes(d);d.classList.toggle("lit",m),d.classList.toggle("begin",d===this.lit[0]),d.ariaCurrent=m?"true":null}this.note.remove(),i&&([this.call.textContent,this.naming.textContent]=[i[0],` in ${i[1]}`],this.lit.at(-1)?.after(this.note)),this.where.textContent=s,this.name.textContent=r,this.arrange(l)}arrange(e){let{box:t,all:o,lit:s}=this;if(t.classList.toggle("whole",an),o.textContent=an?"Show less":"Show all",o.ariaExpanded=String(an),o.classList.toggle("unused",!an&&t.scrollHeight<=t.clientHeight+1),an||!s.length)return;let[r,i]=[s[0].offsetTop,s[s.length-1]],a=i.offsetTop+i.offsetHeight-r,l=Math.max(0,(t.clientHeight-a)/2);t.scrollTo({top:r-l,behavior:e&&!Y()?"smooth":"auto"})}}});var hr,Ol=y(()=>{hr=`.tensors {
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
  scroll-margin-top: 4.5rem; /* below Streamlit's header */
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
[data-picks] .layer {
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
`});var bu={};k(bu,{Tensors:()=>pr,default:()=>b0});function Hl(n,e){return!n||!e?!1:["tensor","head","row","column","slope"].every(t=>n[t]===e[t])}function ln(){return document.documentElement.hasAttribute("data-present")}var c0,gu,d0,mr,h0,Nl,m0,p0,u0,f0,g0,b0,pr,wu=y(()=>{j();$n();Ol();Xs();hl();Le();pl();al();yl();Zt();Cn();ce();tn();ar();xl();$l();Ve();bl();ne();de();Z();Rl();cr();Ot();I();S();c0=24,gu=24,d0=28,mr=144,h0=.45,Nl=640,m0=150,p0=1500,u0=2500,f0=400,g0="Point at a cell of the output to see how it was computed. Click to keep it.",b0=C([R,Je,Hn,hr],n=>new pr(n),(n,e)=>{n.report=o=>e.setStateValue("look",{...o,at:Date.now()}),n.missed=o=>e.setTriggerValue("gone",o);let t=ee(e.data);il(),n.show(t),wn.set(n,o=>n.open(o)),Gi(n,t.way,e)}),pr=class{host;root;nodes;result;expression;observer=new ResizeObserver(()=>this.room()!==this.width&&this.layout());settling=new ResizeObserver(()=>this.height!==this.below(this.nodes.sides,"top")&&this.layout({held:!1}));missing="";given=[];groups=[];frames=[];looks=new jo;marks=new qo;pointed=null;shownHead=null;asker=cl();data;output;theme;width=0;before=0;height=0;heldBy="";playing=null;made=null;report;missed;closing=new AbortController;leaving=0;asking=0;saying=0;unwatch;constructor(e){this.host=e.host??e,this.root=e.querySelector(".tensors"),this.nodes=wl(this.root,{table:()=>this.change({table:!this.look.table}),compute:()=>this.compute(),text:()=>this.copy(Ll),numpy:()=>this.copy(Sl),all:()=>this.change({head:null})}),this.result=new ye(this.nodes.outputs),this.expression=new Wo(this.nodes.panel,()=>this.unfolded(),s=>ve({name:s})),this.expression.hint=g0,this.listen(),this.observer.observe(this.root),this.unwatch=[re.watch(()=>this.settle()),ge.watch(()=>this.data&&this.reask())];let t=this.closing.signal;document.fonts.status!=="loaded"&&document.fonts.ready.then(()=>t.aborted||this.layout());let o=this.host;for(;o&&!o.matches(K);o=o.parentElement)this.settling.observe(o);for(let s of["pointerdown","keydown"])document.addEventListener(s,()=>this.settling.disconnect(),{signal:t,capture:!0,once:!0});this.watchSharpness()}listen(){let e=this.closing.signal,t=(o,s,r)=>{for(let i of s)o.addEventListener(i,r,{signal:e})};for(let o of[this.nodes.inputs,this.nodes.outputs,this.nodes.tables])t(o,["pointermove","pointerdown"],s=>this.point(this.cellOf(s))),t(o,["pointerleave"],s=>s.pointerType!=="touch"&&this.point(null)),t(o,["click"],s=>this.toggle(this.cellOf(s)));for(let o of[this.nodes.inputs,this.nodes.outputs])t(o,["pointerdown"],s=>s.target.closest('[tabindex="0"]')?.focus({preventScroll:!0})),t(o,["focusout"],s=>this.nodes.sides.contains(s.relatedTarget)||this.point(null)),t(o,["keydown"],s=>this.press(s)),t(o,["dblclick"],s=>this.solo(this.tileOf(s.target,"node")?.grid.head));t(document,["keydown"],o=>this.key(o)),t(document,["pointerdown"],o=>this.outside(o)),t(this.nodes.clipboard,["blur"],()=>this.nodes.clipboard.hidden=!0)}close(){Fi(this),wn.set(this,null),this.root.replaceChildren(),this.closing.abort();for(let e of this.unwatch)e();Pe.set(this,null),this.stop(),this.observer.disconnect(),this.settling.disconnect()}watchSharpness(){let e=matchMedia(`(resolution: ${devicePixelRatio}dppx)`),t=()=>{this.layout(),this.watchSharpness()};e.addEventListener("change",t,{once:!0,signal:this.closing.signal})}show(e){let t=e.operation!==this.data?.operation,o=t&&!!this.data;this.stop(),this.data=e,this.looks.adopt(e.look,t);let s=F(this.host),r=JSON.stringify(s)!==JSON.stringify(this.theme);this.theme=s,t&&(this.pointed=null,this.shownHead=null),this.asker.forget(),(t||r)&&this.expression.expect(e.operation,e.parameters,this.theme),this.compose(),o&&this.expression.speak(this.output.title),dr.set(this,e.statement),e.problem&&this.say(e.problem)}async open(e){let{walk:t,look:o,way:s}=this.data;if(e.get("gradient")||o.gradient||s.stops?.length)return!1;let r=await fetch(new URL(`./walk/${t}/operation?${e}`,document.baseURI)).catch(()=>null);if(!r?.ok)return!1;let{marks:i,explanation:a,...l}=ee(new Uint8Array(await r.arrayBuffer()));if(!this.host.isConnected||this.data.walk!==t)return!1;let{most:d,reads:m}=this.data;return this.show({...l,most:d,reads:m,way:{...s,...i}}),rl(a),X.set(this,{...this.data.way,host:this.host}),ke.set(this,this.data.way),!0}get look(){return this.looks.now}change(e){this.stop(),this.report(this.looks.change(e)),this.compose()}compose(){let{tensors:e}=this.data,t=e.find(h=>h.output);if(!t)throw new Error("An operation has an output.");this.output=t;let o=h=>{if(!h.heads)return[0];let p=We(h);return!h.output&&t.heads?[this.head()]:this.look.head!==null&&p.includes(this.look.head)?[this.look.head]:p};for(;this.given.length<e.length-1;)this.given.push(new ye(this.nodes.inputs));for(;this.given.length>e.length-1;)this.given.pop()?.remove();this.groups=[...this.given,this.result],this.groups.forEach((h,p)=>this.fill(h,e[p],o(e[p])));let s=this.groups.flatMap(h=>h.grids),r=s.filter(h=>!h.slope);this.nodes.legend.replaceChildren(...Io(r,s.filter(h=>h.slope),this.theme)),this.nodes.arrow.hidden=e.length===1,this.root.classList.toggle("as-table",this.look.table),this.host.toggleAttribute("data-locked",this.locked()!==null),Uo(this.nodes.tableButton,this.look.table?"Show as heatmap":"Show as table"),this.nodes.allButton.classList.toggle("unused",this.look.head===null||!t.heads);let i=!!this.asked()?.hides;this.nodes.playButton.disabled=this.look.table||i,this.nodes.tableButton.disabled=i;let{activeElement:a}=this.root.getRootNode(),l=()=>this.groups.flatMap(h=>h.tiles.map(({node:p})=>p)),d=(this.frames.length?this.frames:l()).findIndex(h=>h===a),m=this.frames.length>0;this.frames=this.look.table?Tl(this.groups):[],this.nodes.tables.replaceChildren(...this.frames),this.layout(),this.tell(),d>=0&&(m||this.look.table)&&(this.look.table?this.frames:l())[d]?.focus()}tell(){let{title:e,heads:t,rows:o,columns:s}=this.output,r=`${t?.axis??""}${o.axis||" "}${s.axis||" "}`,i=this.look.gradient_of?null:this.look.cell;Pe.set(this,{walk:this.data.walk,operation:this.data.operation,title:e,axes:r,shape:this.shape,cell:i})}get shape(){let{heads:e,rows:t,columns:o}=this.output;return[...e?[e.size]:[],t.size,o.size]}asked(){let{value:e}=ge;return e?.kind==="output"&&e.operation===this.data.operation&&String(e.shape??this.shape)===String(this.shape)?e:null}reask(){this.stop(),this.compose()}fill(e,t,o){let s=r=>this.change({...r,cell:null,..."heads"in r&&{head:null}});e.fill(t,o,{...this.data.fold,go:s},this.theme,this.madeOf(t))}head(){let{first:e,count:t}=this.output.heads??{first:0,count:1},o=i=>i!=null&&i>=e&&i<e+t,s=this.pointed?.tensor===this.output.index?this.pointed.head:null;return[this.look.head,this.locked()?.head,s,this.shownHead].find(o)??e}showInputs(){if(!this.output.heads)return;let e=this.head();this.shownHead=e;for(let t of this.groups){let{tensor:o}=t;if(!(o.output||!o.heads||t.grids[0].head===e)){this.fill(t,o,[e]);for(let s of t.tiles)Xe(s,this.theme),Re(s,this.theme);this.look.table&&this.compose()}}}room(){let e=this.root.clientWidth;return e===this.before&&e>this.width&&e<this.width+c0?this.width:e}layout({held:e=!0}={}){let t=this.room();if(t!==this.width&&([this.before,this.width]=[this.width,t]),!this.width||!this.data)return;this.theme=F(this.host);let{nodes:o,given:s,result:r,data:i,theme:a}=this;this.height=this.below(o.sides,"top");let l=this.held()&&e;this.look.table||ka(o,s,r,this.width,this.rooms(),l,i.most,a),this.fitExpression(),this.light()}settle(e=3){this.layout({held:!1}),e>1&&requestAnimationFrame(()=>this.root.isConnected&&this.settle(e-1))}below(e,t){let o=this.host.closest(K);return(ln()&&o?o.getBoundingClientRect().bottom:innerHeight)-e.getBoundingClientRect()[t]-(o?.scrollTop??0)-(ln()?d0*this.theme.scale:gu)}unfolded(){this.layout(),innerWidth<=Nl&&!this.expression.folded&&this.nodes.panel.scrollIntoView({block:"nearest"})}rooms(){let e=this.height-this.nodes.legend.offsetHeight;if(ln())return[e-(this.locked()?e*h0:this.leastPresented()+gu*this.theme.scale)];let t=this.expression.folded?mr/4:mr;return[e-t,e-mr/4]}held(){let e=JSON.stringify([this.data.operation,this.data.reads,this.width,innerHeight,this.theme,{...this.look,cell:null}]),t=e===this.heldBy;return this.heldBy=e,t}fitExpression(){let e=Math.floor(this.below(this.nodes.legend,"bottom")),{style:t}=this.nodes.panel,o=ln()?this.leastPresented():mr,s=e>=o?`${e}px`:"";t.setProperty("--expression-most",ln()?innerWidth>Nl?`${Math.max(e,o)}px`:"none":""),this.nodes.panel.classList.toggle("grows",!ln()),t.setProperty("--expression-height",ln()||innerWidth<=Nl?"":s)}leastPresented(){return parseFloat(getComputedStyle(this.nodes.panel).minHeight)}tileOf(e,t="layer"){return this.groups.flatMap(({tiles:o})=>o).find(o=>o[t].contains(e))}cellOf(e){let t=this.tileOf(e.target),o=t?At(t,e.clientX,e.clientY):lr(e.target),s=t??e.target.closest(".matrix");return s&&o?this.absolute(s.grid,o):null}absolute(e,{row:t,column:o}){let{tensor:s,head:r,slope:i}=e;return{tensor:s.index,head:r,row:t,column:o+s.columns.first,slope:i}}find(e){let t=this.groups[e.tensor],o=t?t.grids.findIndex(i=>i.head===e.head&&i.slope===e.slope):-1;if(o<0)return null;let s=t.grids[o],r=e.column-s.tensor.columns.first;return r<0||r>=s.columns||e.row>=s.rows?null:{tile:t.tiles[o],grid:s,row:e.row,column:r}}locked(){let{cell:e,gradient_of:t}=this.look;if(!e)return null;let[o,s,r=0]=[...e].reverse();return{tensor:(this.data.tensors.find(({name:a,slopes:l})=>t&&a===t&&l)??this.output).index,head:r,row:s,column:o,slope:!!t}}lock({tensor:e,head:t,row:o,column:s,slope:r}){let{name:i,heads:a}=this.data.tensors[e];return{cell:a?[t,o,s]:[o,s],gradient_of:r?i:""}}isExplained({tensor:e,slope:t}){return t||e===this.output.index}point(e){this.playing||(clearTimeout(this.leaving),!e&&this.pointed?this.leaving=setTimeout(()=>{this.pointed=null,this.light()},m0):e&&!Hl(e,this.pointed)&&(this.pointed=e,this.light()))}toggle(e){if(this.playing)return this.stop();if(!e)return;let t=this.asked()?.pick;if(t&&e.tensor===this.output.index&&!e.slope)return t(this.lock(e).cell??[]);if(!this.isExplained(e)||Hl(e,this.locked()))return this.unlock();this.change(this.lock(e))}unlock(){this.look.cell&&this.change({cell:null})}outside(e){let t=e.composedPath();if(t.includes(this.nodes.sides)&&this.tileOf(t[0])||t.includes(this.nodes.tables)&&lr(t[0]))return;t.includes(this.root)||this.point(null);let o="button, a, input, textarea, select, label, summary, [role=button], [role=slider], [role=listbox], [role=option], [role=combobox], [role=tab], [data-part], .expression, .scroller";t.some(s=>s instanceof Element&&s.matches(o))||this.unlock()}solo(e){!this.output.heads||e===void 0||(getSelection()?.removeAllRanges(),this.alone(this.look.head===e?null:e))}alone(e){let{cell:t}=this.look;this.change({head:e,cell:t&&e!==null?[e,...t.slice(1)]:t})}press(e){let t=this.tileOf(e.target,"node");if(!t||e.ctrlKey||e.altKey||e.metaKey)return;let{grid:o}=t,s=[this.pointed,this.locked()].find(l=>l&&this.find(l)?.tile===t);if(e.key==="Enter"&&s)return le(e),this.pointed=s,this.toggle(s);let r=s??[this.locked(),this.pointed].find(l=>l?.tensor===o.tensor.index),i=Qt(e,o,(r&&this.find({...r,head:o.head,slope:o.slope}))??null);if(!i)return;le(e),Qe(t,i.row,i.column);let a=this.absolute(o,i);if(this.look.cell&&this.isExplained(a))return this.pointed=a,this.change(this.lock(a));this.point(a)}key(e){if(!(!this.data||!te(e))){if(e.key==="Escape")if(this.playing)this.stop();else if(this.look.cell)this.unlock();else return this.point(null);else if(e.key==="t")this.nodes.tableButton.disabled||this.change({table:!this.look.table});else if(e.key==="p")this.compute();else if(e.key==="e")this.expression.fold(!this.expression.folded);else if(e.key==="0")this.look.head!==null&&this.change({head:null});else if(e.key>="1"&&e.key<="9"&&e.key.length===1){let t=Number(e.key)-1;this.output.heads&&t<this.output.heads.size&&this.look.head!==t&&this.alone(t)}else return;e.preventDefault()}}light(){if(this.playing)return;let e=this.locked(),t=e||this.pointed||this.asked()?.hides?null:this.example(),o=e??this.pointed??t;this.showInputs();let s=o&&this.find(o);this.marks.clear(),this.markAsked();let r=this.pointed&&e&&!Hl(this.pointed,e)&&this.find(this.pointed);if(r&&this.marks.cross(r,!0),!o||!s&&!e)return this.asker.forget(),this.paint(),this.expression.clear();if(s&&this.marks.cross(s,!1),this.paint(),this.asked()?.hides)return this.asker.forget(),this.expression.clear();this.nodes.arrow.classList.toggle("backward",o.slope);let i=this.whereOf(o),a=s?et(s.grid,s.row*s.grid.columns+s.column):"";if(this.expression.point(t?`Example: ${i}`:i,a,!!e,()=>this.unlock()),!this.isExplained(o))return this.asker.forget(),this.expression.bare(`${i} = ${a}`);this.asker.ask(this.question(o),l=>this.answered(o,l,!t))}markAsked(){let e=this.asked(),{outputs:t}=this.nodes,o=e?.pick&&!t.hasAttribute("data-picks");t.toggleAttribute("data-picks",!!e?.pick),o&&setTimeout(()=>t.scrollIntoView({block:"start",behavior:Y()?"auto":"smooth"}),f0);for(let{at:s,text:r,name:i}of e?.marks??[]){let[a,l,d=0]=[...s].reverse(),m=this.find({tensor:this.output.index,head:d,row:l,column:a,slope:!1});m&&this.marks.add(m.grid,{name:`asked ${i}`,text:r,rows:[l,l+1],columns:[m.column,m.column+1]})}}example(){let e=this.given.flatMap(i=>i.grids).find(i=>i.slope);if(e){let i=Array.from(e.values,Math.abs),a=i.indexOf(Math.max(...i));return this.absolute(e,{row:Math.floor(a/e.columns),column:a%e.columns})}let t=i=>!i.slope&&(!this.output.heads||i.head===this.head()),o=this.result.grids.find(t)??this.result.grids[0],s=o.marked??0;if(s>=o.rows)return null;let r=0;for(let i=1;i<o.columns&&o.kind==="probability";i++)o.values[s*o.columns+i]>o.values[s*o.columns+r]&&(r=i);return this.absolute(o,{row:s,column:r})}answered(e,t,o){if(t.gone)return this.again();if(this.playing)return;this.sources(t);let s=this.find(e),r=s?.grid.values[s.row*s.grid.columns+s.column];this.expression.tell(t,o?this.inWords(e):"",r)}sources(e){for(let{tensor:t,region:o,gradient:s}of e.reads??[]){let r=this.groups.find(i=>i.tensor.name===t);r&&this.marks.source(r,o,s)}this.paint()}paint(){this.marks.paintTables(this.frames),this.look.table||this.marks.paintTiles(this.groups,this.pointed?.tensor)}again(){let{walk:e}=this.data;this.missed(e),clearTimeout(this.asking),this.missing!==e&&(this.missing=e,this.asking=setTimeout(()=>this.data.walk===e&&this.light(),p0))}question(e){let t=[0,e.head,e.row,e.column],{name:o,axes:s}=this.data.tensors[e.tensor];return dl(this.data.walk,o,s.map(r=>t[r]),e.slope)}whereOf(e){let t=this.data.tensors[e.tensor];return[e.slope?`Gradient at ${t.title}`:t.title,t.heads&&Lo(t,e.head),Ge("row",t.rows,e.row-t.rows.first),Ge("column",t.columns,e.column-t.columns.first)].filter(Boolean).join(" · ")}inWords(e){return this.whereOf(e).replaceAll(" · ",", ")}async copy(e){if(this.asked()?.hides)return this.say("Hidden until the answer is revealed");let[t,o]=[!1,!0].map(r=>this.result.grids.filter(i=>i.slope===r)),s=[e(this.output,t)];o.length&&s.push(`# gradient of the loss
${e({...this.output,kind:"signed",whole:!1},o)}`),this.say(await Cl(s.join(`

`),this.nodes.clipboard))}say(e){this.nodes.announcement.textContent=e,clearTimeout(this.saying),this.saying=setTimeout(()=>this.nodes.announcement.textContent="",u0)}compute(){if(this.playing)return this.stop();if(this.nodes.playButton.disabled)return;let e=this.absolute(this.result.grids[0],{row:0,column:0}),t=this.pointed&&this.isExplained(this.pointed)?this.pointed:null,o=[this.locked(),t,this.output.slopes&&this.example(),e].find(s=>s&&this.find(s));o&&this.asker.ask(this.question(o),async s=>{if(s.gone)return this.again();if(s.problem)return this.say(s.problem);let r=this.playing=new AbortController;Uo(this.nodes.playButton,"Stop"),await gl(fl(this,o),o,s,r.signal),this.playing===r&&this.stop()})}stop(){this.playing&&(this.playing.abort(),this.playing=null,this.made=null,this.nodes.announcement.textContent="",Uo(this.nodes.playButton,"Compute slowly"),this.expression.grown(),this.repaint(),this.light())}repaint(){for(let e of this.groups){e.paint(this.theme,this.madeOf(e.tensor));for(let t of e.tiles)t.viewport&&Re(t,this.theme)}}madeOf({index:e}){let t=this.asked()?.hides&&e===this.output.index?{tensor:e,slope:!1,cell:()=>!1}:null;return this.made?.tensor===e?this.made:t}}});var yu={};k(yu,{default:()=>w0});var w0,Pl,xu=y(()=>{j();I();S();w0=C([R],n=>new Pl(n),(n,{data:e,setTriggerValue:t})=>{n.most=e.most,n.send=o=>t("file",o)}),Pl=class{most=0;send=()=>{};constructor(e){let t=Ze(".txt,text/plain",([o])=>o&&this.read(o));t.ariaLabel="Text file",e.querySelector(".text-file")?.append(x("","Use a .txt file",()=>t.click()),t)}close(){}read(e){if(e.size>this.most)return this.send({size:e.size,content:""});let t=new FileReader;t.addEventListener("load",()=>{let[,o=""]=String(t.result).split(",",2);this.send({size:e.size,content:o})}),t.readAsDataURL(e)}}});var ku={};k(ku,{default:()=>x0});function k0(n){let e=x("small-button","",()=>a());e.innerHTML='<svg viewBox="0 0 20 14" aria-hidden="true"><rect x=".7" y=".7" width="18.6" height="12.6" rx="2"/><path d="M4 4.4h.1M7 4.4h.1M10 4.4h.1M13 4.4h.1M16 4.4h.1M4 7.2h.1M7 7.2h.1M10 7.2h.1M13 7.2h.1M16 7.2h.1M6 10.2h8"/></svg><span class="words">Keys</span>',Object.assign(e,{ariaHasPopup:"dialog",ariaKeyShortcuts:"?",title:"Keyboard shortcuts of this page (?)"});let t=c("dialog","keys",{ariaLabel:"Keys"});n.append(e,t);let o=c("input","",{type:"checkbox"});o.addEventListener("change",()=>$r(o.checked));let s=c("small","",y0,{id:"scope"});o.setAttribute("aria-describedby",s.id);let r=c("p","letters wrap",c("label","",o,"Single-letter shortcuts"),s),i=()=>o.checked=Yo(),a=()=>{i(),t.open||t.showModal()};t.addEventListener("click",d=>{let{left:m,right:h,top:p,bottom:u}=t.getBoundingClientRect(),f=d.clientX>=m&&d.clientX<=h&&d.clientY>=p&&d.clientY<=u;(d.target===t&&!f||d.target.closest(".close"))&&t.close()}),t.addEventListener("keydown",d=>{t.open&&(d.stopPropagation(),d.key==="?"&&Yo()&&t.close())});let l={open:a,tick:i,fill:d=>v0(t,d,r),close(){cn===l&&(cn=null),e.remove(),t.remove()}};return l}function v0(n,e,t){let o=JSON.stringify(e);if(n.dataset.shown===o)return;n.dataset.shown=o;let s=e.map(({title:i,rows:a})=>{let l=a.flatMap(([d,m])=>[c("dt","wrap",...d.map(h=>c("kbd","",h))),c("dd","",m)]);return c("section","",c("h3","",i),c("dl","",...l))}),r=c("button","close","×",{ariaLabel:"Close"});n.replaceChildren(c("header","",c("h2","","Keys"),r),t,c("div","columns",...s))}var y0,cn,x0,vu=y(()=>{Z();ce();I();S();y0="Turns shortcuts with letters, digits and punctuation on or off. Arrow keys and Esc always work.",cn=null;Ar(()=>cn?.tick());document.addEventListener("keydown",n=>{n.key!=="?"||!cn||!te(n)||(n.preventDefault(),cn.open())});x0=C(He,k0,(n,{data:e})=>{cn=n,cn.fill(e)})});var S0={};function Eu(){let n=document.getElementById("opening"),[e,t]=[n?.querySelector(".loading [role=status]"),n?.querySelector("progress")];if(!n||!e||!t)return void(document.readyState==="loading"&&setTimeout(Eu));let{content:o}=document.getElementById("soon");t.max=document.querySelectorAll("head :is(script[src], link)").length+o.childElementCount;let s=new PerformanceObserver(l=>t.value+=l.getEntries().length);s.observe({type:"resource",buffered:!0});let r=()=>e.textContent=L0;addEventListener("error",r,{capture:!0});let i=0,a=()=>{document.querySelector(K)?.textContent?.trim()&&(i||=performance.now());let[l]=[...document.querySelectorAll(`${_("first-look")} *`)].map(f=>f.shadowRoot).filter(Boolean),d=!document.querySelector(".page-foot")||document.querySelector(`${K} ${vr}`)||l&&!l.querySelector(".token, .status:not(:empty)"),m=i&&performance.now()-i>T0;if(d&&!m&&!document.querySelector("section[role=dialog]"))return setTimeout(a,E0);s.disconnect(),removeEventListener("error",r,{capture:!0});let h=n.querySelector(".look")?.shadowRoot?.querySelector("input"),p=!!h?.matches(":focus");n.remove();let u=l?.querySelector("input");!h||!u||(u.value!==h.value&&Object.assign(u,{value:h.value}).dispatchEvent(new Event("input")),p&&u.focus())};a()}var T0,E0,L0,Tu,zl=y(()=>{ne();T0=1e4,E0=20,L0="A part of the app didn't load. Reload the page.",Tu=new URLSearchParams(location.search);document.documentElement.classList.toggle("bare",Tu.has("present")||Tu.has("embed"));Eu()});var C0={};var Lu=y(()=>{zl();ne();window.__streamlit={BACKEND_BASE_URL:new URL("./",document.baseURI).href};{let n="(prefers-color-scheme: dark)",e="playground theme",t=matchMedia.bind(window),o=t(n),r=(()=>{try{return localStorage.getItem(e)??""}catch{return""}})(),i=!1;class a extends EventTarget{media=n;get matches(){return!i&&(r?r==="dark":o.matches)}}let l=new a,d=()=>{document.documentElement.style.colorScheme=l.matches?"dark":"light",l.dispatchEvent(Object.assign(new Event("change"),{matches:l.matches,media:n}))};o.addEventListener("change",()=>r||d());let m=document.documentElement.style;addEventListener("beforeprint",()=>{l.matches&&m.setProperty("--paper","invert(1) hue-rotate(180deg)"),document.querySelectorAll(kr).forEach(h=>h.style.setProperty("--drawn",String(h.clientWidth))),i=!0,d()}),addEventListener("afterprint",()=>{m.removeProperty("--paper"),i=!1,d()}),window.matchMedia=h=>h===n?l:t(h),window.playgroundTheme={chosen:()=>r,choose(h){r=h;try{h?localStorage.setItem(e,h):localStorage.removeItem(e)}catch{}d()}},d()}addEventListener("DOMContentLoaded",()=>{let n=document.getElementById("soon");n&&document.head.append(n.content)})});var Cu={};k(Cu,{default:()=>A0});function Bl(n){return(n.nodes??[]).flatMap(e=>e.nodes?[e,...Bl(e)]:[])}function Il(n){if(n.off)return;let e=n.nodes?Su(n).find(t=>!t.off):n;e&&ve({name:e.name})}function Su(n){return n.nodes?ur(n).flatMap(Su):[n]}function ur({list:n,nodes:e=[]}){return[...n?.children??[]].flatMap(t=>e.find(o=>o.item===t)??[])}var M0,$0,Ue,A0,Dl,Mu=y(()=>{Z();ce();Cn();de();I();S();M0=640,$0=3,Ue={all:!1,shut:null},A0=C(He,n=>new Dl(n),(n,{data:e})=>n.show(e)),Dl=class{root;total=c("span","soft");title=x("title","All operations ",()=>{Ue.shut=!Ue.shut,this.draw(),this.reveal()});all=x("small-button","Unfold all",()=>{Ue.all=!Ue.all;for(let e of Bl(this.top))e.open=null;this.draw(),this.reveal()});tree=c("ul","tree",{role:"tree",ariaLabel:"All operations of this pass"});box=c("section","outline",c("header","",this.title,this.all),this.tree);top={depth:0,list:this.tree,nodes:[]};leaves=new Map;byItem=new WeakMap;planted="";lit=null;within=new Set;backward=null;stop=null;unwatch=()=>{};constructor(e){this.root=e,Ue.shut??=innerWidth<M0,this.title.append(this.total),e.append(this.box),this.tree.addEventListener("click",t=>{let o=t.target,s=o.closest("[role=treeitem]"),r=s&&this.byItem.get(s);r&&(this.setStop(r),o.closest(".chevron")?this.toggle(r):Il(r))}),this.tree.addEventListener("keydown",t=>this.press(t))}close(){this.unwatch(),bn.set(this,null),this.box.remove()}show(e){let t=JSON.stringify(e);this.planted!==t&&this.plant(e),this.planted=t,this.unwatch(),this.unwatch=ke.watch(o=>this.light(o)),bn.set(this,o=>{let s=this.leaves.get(o);return s?ur(s.parent).filter(r=>!r.nodes&&!r.off):[]})}plant({parts:e,colours:t}){this.leaves.clear();let o=(s,{label:r,name:i,parts:a,letter:l,role:d})=>{let m=c("div","row",c("span","chevron"),c("span","label",r)),h=s.depth+1,p=c("li","",m,{role:"treeitem",ariaLabel:r,ariaLevel:String(h),tabIndex:-1}),u={label:r,name:i,parent:s,item:p,row:m,depth:h,open:null};if(p.style.setProperty("--depth",String(h-1)),this.byItem.set(p,u),a)u.list=c("ul","",{role:"group"}),u.nodes=a.map(f=>o(u,f)),u.list.append(...u.nodes.map(f=>f.item)),p.append(u.list);else if(u.at=this.leaves.size,this.leaves.set(i,u),l){let f=c("span","letter",l,{ariaHidden:"true"});f.style.background=d?t[d]:"",m.append(f)}return u};this.top.nodes=e.map(s=>o(this.top,s)),this.lit=this.backward=null,this.tree.replaceChildren(...this.top.nodes.map(s=>s.item)),this.setStop(this.top.nodes[0]),this.draw()}isOpen(e){return e.open!==null?e.open:Ue.all||e.depth<$0&&e.nodes?.some(t=>t.nodes)||this.within.has(e)}light(e){let t=e?.lit?this.leaves.get(e.lit):null;if(this.turn(e?.without??null),this.lit===(t??null))return;let o=this.within;this.lit=t??null,this.within=new Set;for(let s=t?.parent;s?.parent;s=s.parent)this.within.add(s),s.open===!1&&!o.has(s)&&(s.open=null);this.draw(),t&&!this.tree.contains(this.root.activeElement??null)&&this.setStop(t),this.reveal()}turn(e){let t=JSON.stringify(e);if(this.backward===t)return;let o=({list:r,nodes:i=[]})=>{let a=i.map(l=>l.item);r?.append(...e?a.reverse():a),i.filter(l=>l.nodes).forEach(o)};o(this.top);let s=new Set(e);for(let r of this.leaves.values())r.off=r.at!==void 0&&s.has(r.at),r.item.ariaDisabled=r.off?"true":null;this.total.textContent=e?`${this.leaves.size-s.size}, backward`:String(this.leaves.size),this.backward=t,this.lit=void 0}draw(){this.box.classList.toggle("shut",!!Ue.shut),this.title.ariaExpanded=String(!Ue.shut),this.all.textContent=Ue.all?"Fold to sublayers":"Unfold all",this.all.ariaPressed=String(Ue.all);for(let e of Bl(this.top))e.item.ariaExpanded=String(!!this.isOpen(e)),e.item.classList.toggle("within",this.within.has(e));for(let e of this.leaves.values())e.item.ariaCurrent=e===this.lit?"step":null;(!this.stop||!this.visible().includes(this.stop))&&this.setStop(this.lit??this.top.nodes[0])}reveal(){if(!this.lit||Ue.shut)return;let{tree:e}=this,t=this.lit.row.getBoundingClientRect(),o=e.getBoundingClientRect(),s=Math.min(2.5*t.height,o.height/3);if(t.top>=o.top+s&&t.bottom<=o.bottom-s)return;let r=e.scrollTop+t.top-o.top-(o.height-t.height)/2;e.scrollTo({top:r,behavior:Y()?"auto":"smooth"})}toggle(e){e.nodes&&(e.open=!this.isOpen(e),this.draw())}visible(e=this.top){return ur(e).flatMap(t=>[t,...t.nodes&&this.isOpen(t)?this.visible(t):[]])}setStop(e){this.stop&&(this.stop.item.tabIndex=-1),e.item.tabIndex=0,this.stop=e}press(e){let t=this.byItem.get(e.target);if(!t||e.ctrlKey||e.altKey||e.metaKey||e.shiftKey)return;let o=this.visible(),s=o.indexOf(t),r=t.nodes&&this.isOpen(t),i={ArrowDown:()=>o[s+1],ArrowUp:()=>o[s-1],Home:()=>o[0],End:()=>o[o.length-1],ArrowRight:()=>t.nodes&&!r?this.toggle(t):ur(t)[0],ArrowLeft:()=>r?this.toggle(t):t.parent.parent?t.parent:void 0,Enter:()=>Il(t)," ":()=>t.nodes?this.toggle(t):Il(t)};if(!Object.hasOwn(i,e.key))return;le(e);let a=i[e.key]();if(!a)return;this.setStop(a),a.item.focus({preventScroll:!0});let l=a.row.getBoundingClientRect(),d=this.tree.getBoundingClientRect();l.top<d.top&&(this.tree.scrollTop+=l.top-d.top),l.bottom>d.bottom&&(this.tree.scrollTop+=l.bottom-d.bottom)}}});var Au,$u=y(()=>{Au=`/* A traced pass: outline, statement, calculation and tensors. The page around it has the colours and the grid. */

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
`});var Ou,Ru=y(()=>{Ou=`.traced {
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
`});function jl(n){return Uint8Array.from(atob(n),e=>e.charCodeAt(0)).buffer}function In(n,e){return n.reduce((t,o,s)=>t*o+e[s],0)}function z0(n,e){return n.map((t,o)=>{let s=n.slice(o+1).reduce((r,i)=>r*i,1);return Math.floor(e/s)%n[o]})}function I0(n,e,t,o){if(e.declared)return t?null:new gr(n,e.declared,o).cell();let s=e.copied?.[t];return s?D0(n,s,In(n.pass.tensors[e.outputs[t]].shape,o)):null}function D0(n,e,t){let o=new Int32Array(jl(e.origins))[t];if(o<0)return{value:e.constant,lines:[],reads:new Map};for(let s of e.sources){if(o<Ul(n.pass,s)){let r=n.of(s);return r&&{value:r[o],lines:[],reads:new Map([[`values ${s}`,new Set([o])]])}}o-=Ul(n.pass,s)}return null}function B0(n,e,t){let o=n.of(e,"gradient"),{pass:s}=n,r=In(s.tensors[e].shape,t);if(!o)return null;let i=o[r],a=s.operations.flatMap((f,g)=>f.backward.filter(({input:w})=>w===e).map(w=>({operation:g,backward:w,cell:W0(n,f,w,r,t)}))),l=new Map;for(let{cell:f}of a)for(let[g,w]of f?.reads??[])l.set(g,new Set([...l.get(g)??[],...w]));let d=a.flatMap(({cell:f})=>f??[]),m=[...new Set(a.filter(({cell:f})=>!f).map(f=>`from ${ql(s,f.operation)}`))],h=i-d.reduce((f,g)=>f+g.value,0),p=[o,...a.map(({operation:f,backward:g})=>n.of(s.operations[f].outputs[g.output],"gradient")??[])],u=Math.max(...p.map(Pu));return d.length&&!m.length&&!(Math.abs(h)>U0*u)?{value:i,parts:a,rest:null,reads:l}:(Object.values(s.outputs).includes(e)&&m.push("given by the loss"),{value:i,parts:a,rest:{from:m.join(" and ")||"in another way, such as through shared memory",value:h},reads:l})}function W0(n,e,{input:t,output:o,declared:s},r,i){if(s)return Object.values(s.reads).some(({tensor:g,what:w})=>!n.of(g,w))?null:new gr(n,s,i).cell();let a=e.copied?.[o],l=e.outputs[o],d=n.of(l,"gradient");if(!a||!d)return null;for(let f of a.sources.slice(0,a.sources.indexOf(t)))r+=Ul(n.pass,f);let m=[];new Int32Array(jl(a.origins)).forEach((f,g)=>f===r&&m.push(g));let h=m.reduce((f,g)=>f+d[g],0),p=m.map((f,g)=>({at:g,factors:[],value:d[f]})),u=m.length>1?[{name:"",value:h,terms:p,over:"copy",factors:[]}]:[];return{value:h,lines:u,reads:new Map([[`gradient ${l}`,new Set(m)]])}}function Pu(n){let e=0;for(let t of n)Number.isFinite(t)&&(e=Math.max(e,Math.abs(t)));return e}function Ul(n,e){return n.tensors[e].shape.reduce((t,o)=>t*o,1)}function ql(n,e){return`${e+1} ${n.operations[e].function}`}function zu(n){return n.flatMap(e=>Array.isArray(e)?typeof e[0]=="string"?[e]:e:[])}function Iu(n){if(n[0]==="over")return n;for(let e of zu(n)){let t=Iu(e);if(t)return t}return null}function Du(n){return n[0]==="read"||n[0]==="over"?[n]:zu(n).flatMap(Du)}function j0(n){if(Math.abs(n)>6)return Math.sign(n);let e=n,t=n;for(let o=1;Math.abs(e)>1e-17*Math.abs(t);o++)e*=-n*n/o,t+=e/(2*o+1);return 2/Math.sqrt(Math.PI)*t}function M(n,e,...t){let o=document.createElement(n);return e&&(o.className=e),o.append(...t),o}function zt(n){if(!Number.isFinite(n))return Number.isNaN(n)?"NaN":n>0?"∞":"−∞";if(Number.isInteger(n)&&Math.abs(n)<1e6)return String(n);let e=Math.abs(n);return e>=.001&&e<1e5?n.toPrecision(4).replace(/\.?0+$/,""):n.toExponential(2)}function F0(n){let e=zt(n);return e.length<=7?e:Math.abs(n)<.001||Math.abs(n)>=1e5?n.toExponential(0):n.toPrecision(3)}function Nu(n,e){let{origin:t,name:o}=n.tensors[e];if(t==="operation"){let s=n.operations.findIndex(r=>r.outputs.includes(e)&&!r.passesOn);return s<0?"result":`result of ${ql(n,s)}`}return t==="constant"?"constant":`${t} ${o}`}function Dn(){return parseFloat(getComputedStyle(document.documentElement).fontSize)/16}function Hu(n,e){let[t,o]=[n.getBoundingClientRect(),e.getBoundingClientRect()];n.scrollTop+=Math.min(0,o.top-t.top)||Math.max(0,o.bottom-t.bottom)}var fr,N0,H0,P0,Wl,U0,gr,q0,_0,G0,br,Bu=y(()=>{fr=n=>+!["b","v","0"].includes(n),N0={"+":(n,e)=>n+e,"-":(n,e)=>n-e,"*":(n,e)=>n*e,"/":(n,e)=>n/e,"//":(n,e)=>Math.floor(n/e),"%":(n,e)=>n-e*Math.floor(n/e),"**":(n,e)=>n**e,"==":(n,e)=>+(n===e),"!=":(n,e)=>+(n!==e),"<":(n,e)=>+(n<e),"<=":(n,e)=>+(n<=e),">":(n,e)=>+(n>e),">=":(n,e)=>+(n>=e)},H0={exp:Math.exp,log:Math.log,sqrt:Math.sqrt,sin:Math.sin,cos:Math.cos,tanh:Math.tanh,Phi:n=>.5*(1+j0(n/Math.SQRT2)),max:Math.max,min:Math.min},P0={sum:n=>n.reduce((e,t)=>e+t,0),mean:n=>n.reduce((e,t)=>e+t,0)/n.length,max:n=>Math.max(...n),min:n=>Math.min(...n),logsumexp:n=>{let e=Math.max(...n);return e===-1/0?e:e+Math.log(n.reduce((t,o)=>t+Math.exp(o-e),0))},any:n=>Number(n.some(Boolean))},Wl=class{pass;#e=new Map;constructor(e){this.pass=e}of(e,t="values"){let o=this.pass.tensors[e][t];if(o===null)return null;let s=`${t} ${e}`,r=this.#e.get(s)??new Float32Array(jl(o));return this.#e.set(s,r),r}};U0=1e-4;gr=class{reads=new Map;names={inf:1/0,PAD:0,eps:1e-5};numbers;declared;constructor(e,t,o){this.numbers=e,this.declared=t;for(let{tensor:s,letters:r,spread:i}of Object.values(t.reads)){let{shape:a}=e.pass.tensors[s];r.forEach((l,d)=>i[d]?this.names[l.toUpperCase()]??=1:this.names[l.toUpperCase()]=a[d])}t.cell.forEach((s,r)=>s!=="0"&&(this.names[s]=o[r]+fr(s)))}cell(){let e=[];for(let[t,o]of[...this.declared.lines,["",this.declared.result]]){let s=this.value(o);t&&(this.names[t]=s),e.push({name:t,value:s,...this.terms(o)})}return{value:e.at(-1).value,lines:e,reads:this.reads}}value(e){switch(e[0]){case"number":return e[1];case"name":return this.names[e[1]];case"read":return this.read(e[1],e[2]);case"operator":return N0[e[1]](this.value(e[2]),this.value(e[3]));case"negative":return-this.value(e[1]);case"choice":return this.value(this.value(e[1])?e[2]:e[3]);case"call":return H0[e[1]](...e[2].map(t=>this.value(t)));case"all":return Number(e[1].every(t=>this.value(t)));case"over":return P0[e[1]](this.run(e,t=>this.value(t)))}}run([,,e,t,o,s],r){let i=[],a=fr(t.toLowerCase());for(let l=a;l<a+this.names[t];l++)this.names[e]=l,(!s||this.value(s))&&i.push(r(o));return delete this.names[e],i}read(e,t){let{tensor:o,what:s,letters:r,spread:i}=this.declared.reads[e],a=t.map((m,h)=>i[h]?0:this.value(m)-fr(r[h])),l=In(this.numbers.pass.tensors[o].shape,a),d=`${s} ${o}`;return this.reads.set(d,(this.reads.get(d)??new Set).add(l)),this.numbers.of(o,s)?.[l]??NaN}terms(e){if(e[0]==="choice")return this.terms(this.value(e[1])?e[2]:e[3]);let t=Iu(e);if(!t)return{terms:[],over:"",factors:[]};let o=Du(t[4]);return{terms:this.run(t,r=>({at:this.names[t[2]]-fr(t[3].toLowerCase()),value:this.value(r),factors:o.map(i=>this.value(i))})),over:t[2],factors:o.map(r=>r[1])}}};q0=44,_0=9,G0=40;br=class{pass;numbers;at=0;pinned=null;leading=new Map;gradients=!1;outline=M("nav","outline");main;previous=M("button","","Previous");next=M("button","","Next");box=M("input","");onGo;constructor(e,t,o,s,r){this.pass=e,this.numbers=new Wl(e),this.onGo=s,this.main=M(r?"main":"div","steps"),this.outline.ariaLabel="Operations",this.previous.onclick=()=>this.go(this.at-1),this.next.onclick=()=>this.go(this.at+1),this.box.type="checkbox",this.box.onchange=()=>this.turn();let i=M(r?"h1":"h2","",e.title);t.append(M("header","",i,...e.notes.map(a=>M("p","note",a))),this.outline,this.main),this.drawOutline(),this.go(o)}get what(){return this.gradients?"gradient":"values"}turn(){this.gradients=!this.gradients&&this.pass.tensors.some(e=>e.gradient!==null),this.pinned&&!this.pass.operations[this.at].outputs.includes(this.pinned.tensor)&&(this.pinned=null),this.draw()}go(e){this.at=Math.max(0,Math.min(this.pass.operations.length-1,e)),this.pinned=null,this.onGo(this.at);for(let t of this.outline.querySelectorAll("a")){let o=Number(t.dataset.at)===this.at;if(t.toggleAttribute("aria-current",o),o){for(let s=t.closest("details");s;s=s.parentElement.closest("details"))s.open=!0;Hu(this.outline,t)}}this.draw()}drawOutline(){let e=[["",this.outline]];this.pass.operations.forEach((t,o)=>{let s=t.calls.map(([a,l,d])=>({path:a,kind:l,number:d,key:`${a} ${d}`})),r=0;for(;r<s.length&&e[r+1]?.[0]===s[r].key;)r++;e.length=r+1;for(let{path:a,kind:l,number:d,key:m}of s.slice(r)){let h=d?` (call ${d+1})`:"",p=s[s.findIndex(g=>g.key===m)-1]?.path,u=p&&a.startsWith(`${p}.`)?a.slice(p.length+1):a,f=M("details","",M("summary","",u||l,M("small","",u?l+h:h)));f.open=r<2||this.pass.operations.length<60,e.at(-1)[1].append(f),e.push([m,f])}let i=M("a",t.passesOn?"idle":"",`${o+1} ${t.function}`);i.href=`#operation=${o+1}`,i.dataset.at=String(o),i.addEventListener("click",a=>{a.preventDefault(),this.go(o)}),e.at(-1)[1].append(i)})}draw(){let e=this.pass.operations[this.at];if(!e){this.main.replaceChildren(M("p","","This pass called no torch function."));return}let t=this.main.getRootNode().activeElement;this.previous.disabled=!this.at,this.next.disabled=this.at===this.pass.operations.length-1,this.box.checked=this.gradients;let o=e.calls.map(([E,T])=>E||T).at(-1)??"",s=M("h2","",`${this.at+1}. ${e.function}`,M("small","",o)),r=M("div","bar",s,this.previous,this.next);this.pass.tensors.some(E=>E.gradient!==null)&&r.append(M("label","",this.box," Show gradients"));let i=E=>E.map(T=>`(${this.pass.tensors[T].shape.join(", ")})`).join(", "),a=M("p","facts",`${i(e.inputs)||"no tensor"} → ${i(e.outputs)}`);e.passesOn?a.append(M("em","","It returns its input unchanged.")):!e.declared&&!e.copied&&a.append(M("em","","This call is opaque: only its numbers are known."));let{what:l,pinned:d}=this,m=d&&!this.gradients?this.cell(e,d):null,h=d&&this.gradients?B0(this.numbers,d.tensor,d.index):null,p=(h??m)?.reads??new Map,u=[...new Set([...e.outputs,...e.inputs])].map(E=>[E,l]),g=(h?[...h.reads.keys()].map(E=>E.split(" ")).map(([E,T])=>[Number(T),E]):[]).filter(([E,T])=>!u.some(([$])=>$===E&&T===l)),w=u.findIndex(([E])=>E===d?.tensor)+1,v=u.toSpliced(w,0,...g).map(([E,T])=>this.tensor(e,E,T,p)),L=this.gradients?this.derivation(h):this.calculation(e,m);this.main.replaceChildren(r,this.source(e),a,L,M("div","tensors",...v));for(let E of[this.previous,this.next,this.box])E===t&&E.focus({preventScroll:!0})}source(e){let t=this.pass.sources[e.source],o=M("ol","source");o.start=t.first,t.text.split(`
`).forEach((r,i)=>{let a=t.first+i,l=M("li",a>=e.line&&a<=e.last?"ran":"",r||" ");o.append(l)}),requestAnimationFrame(()=>{let r=o.querySelector(".ran");r&&Hu(o,r)});let s=M("div","file",t.file?`${t.file}:${e.line}`:"",M("code","",e.expression));return o.tabIndex=0,M("section","code",s,o)}cell(e,{tensor:t,index:o}){let s=e.outputs.indexOf(t);return s<0?null:I0(this.numbers,e,s,o)}calculation(e,t){let o=e.declared?.text??(e.copied?["Each cell is a copy of another one."]:[]),s=M("section","cell",...o.map(a=>M("code","",a)));if(s.ariaLive="polite",!this.pinned)return o.length&&s.append(M("p","hint","Select a cell of the result to see the numbers that it was computed from.")),s;let r=In(this.pass.tensors[this.pinned.tensor].shape,this.pinned.index);s.append(M("p","",...this.pinnedValue(this.numbers.of(this.pinned.tensor)?.[r])));let i=t?.lines??[];return s.append(this.lines(i,"out")),s}pinnedValue(e){return[`Cell [${this.pinned.index.join(", ")}] = `,M("strong","",zt(e??NaN))]}lines(e,t){return e.length<2&&!e[0]?.terms.length?"":M("div","lines",...e.map(({name:o,value:s,terms:r,over:i,factors:a})=>{let l=M("p","",`${o||t} = ${zt(s)}`);if(r.length>1){let d=r.slice(0,200).map(({at:h,factors:p,value:u})=>M("tr","",...[h,...p,u].map((f,g)=>M("td","",g?zt(f):String(h))))),m=[i,...a,"term"].map(h=>M("th","",h));l.append(M("div","terms",M("table","",M("tr","",...m),...d)))}return l}))}derivation(e){let t=M("section","cell");if(t.ariaLive="polite",!this.pinned||!e)return t.append(M("p","hint","Select a cell to see what its gradient was computed from.")),t;let o=In(this.pass.tensors[this.pinned.tensor].shape,this.pinned.index),s=e.parts.filter(({cell:a})=>a),r=[...s.map(({cell:a})=>a.value),...e.rest?[e.rest.value]:[]].map(zt),i=M("p","",...this.pinnedValue(this.numbers.of(this.pinned.tensor)?.[o]),", gradient ",M("strong","",zt(e.value)));r.length>1&&i.append(` = ${r.join(" + ").replaceAll("+ -","− ")}`),t.append(i),s.some(({backward:a})=>a.declared)&&t.append(M("p","hint","In these formulas, gradient is that of the operation's result, and handed is what this tensor gets."));for(let a of s){let{operation:l,backward:d,cell:m}=a,h=M("a","",ql(this.pass,l));h.href=`#operation=${l+1}`,h.onclick=u=>{u.preventDefault(),this.go(l)};let p=s.some(u=>u!==a&&u.operation===l)&&d.role;if(t.append(M("p","","From ",h,p?`, to its operand ${p}: `:": ",M("strong","",zt(m.value)))),d.declared)t.append(...d.declared.text.map(u=>M("code","",u))),t.append(this.lines(m.lines,d.declared.name));else{let u=[...m.reads.values()][0].size;t.append(M("p","",["No cell of the result is a copy of this one.","This is the gradient of its copy in the result."][u]??`This is the sum of the gradients of its ${u} copies in the result.`)),t.append(this.lines(m.lines,"sum"))}}if(e.rest){let{from:a,value:l}=e.rest,d=M("p","",`${a[0].toUpperCase()}${a.slice(1)}: `,M("strong","",zt(l)));s.length<e.parts.length&&d.append(M("span","hint"," The rule of this operation isn't known, or numbers that it reads were left out.")),t.append(d)}return t}tensor(e,t,o,s){let{shape:r,dtype:i}=this.pass.tensors[t],a=e.outputs.includes(t)&&o===this.what,l=this.numbers.of(t,o),d=M("figure",a?"result":""),m=M("figcaption","",M("b","",this.caption(t,o,a)),` (${r.join(", ")}) ${i}`);if(d.append(m),!l){let w=o==="gradient"?"No gradient reaches it.":"Its numbers were left out: the pass has too many.";return d.append(M("p","hint",w)),d}let h=o===this.what&&this.pinned?.tensor===t?this.pinned:null,p=s.get(`${o} ${t}`)??null,u=r.slice(0,-2),f=this.leading.get(t)??u.map(()=>0);p?.size&&(f=z0(r,[...p][0]).slice(0,-2)),h&&(f=h.index.slice(0,-2)),u.forEach((w,v)=>{let L=M("select","",...Array.from({length:w},(E,T)=>M("option","",String(T))));L.ariaLabel=`Index of axis ${v}`,L.value=String(f[v]),L.onchange=()=>{this.leading.set(t,f.with(v,Number(L.value))),this.pinned=null,this.draw()},m.append(" ",L)});let g=a||o==="gradient"&&[...e.outputs,...e.inputs].includes(t);return d.append(this.matrix(t,o,l,f,p,g)),d}caption(e,t,o){return t==="gradient"?o?"Gradient of the result":`Gradient of ${Nu(this.pass,e)}`:o?"Result":Nu(this.pass,e)}matrix(e,t,o,s,r,i){let{shape:a}=this.pass.tensors[e],[l,d]=[a.at(-2)??1,a.at(-1)??1],m=s.reduce(($,A,P)=>$*a[P]+A,0)*l*d,h=M("canvas",""),p=M("div","matrix",h);this.main.append(p);let u=Math.max(l,d)<G0,f=Dn()*(u?q0:_0),g=u?f/2:f,w=devicePixelRatio||1;h.width=d*f*w,h.height=l*g*w,h.style.width=`${d*f}px`;let v=h.getContext("2d");v.scale(w,w);let L=$=>(h.style.color=`var(${$})`,getComputedStyle(h).color),E={negative:L("--negative"),positive:L("--positive"),hidden:L("--hidden"),ink:L("--ink"),accent:L("--accent")},T=Pu(o)||1;v.font=`${10*Dn()}px ${getComputedStyle(h).fontFamily}`,v.textAlign="center",v.textBaseline="middle";for(let $=0;$<l;$++)for(let A=0;A<d;A++){let P=m+$*d+A,N=o[P];v.globalAlpha=Number.isFinite(N)?.85*Math.abs(N)/T:1,v.fillStyle=Number.isFinite(N)?N<0?E.negative:E.positive:E.hidden,v.fillRect(A*f,$*g,f-1,g-1),v.globalAlpha=1,u&&(v.fillStyle=E.ink,v.fillText(F0(N),(A+.5)*f,($+.5)*g)),(i&&this.pinned?.tensor===e&&In(a,this.pinned.index)===P||r?.has(P))&&(v.strokeStyle=E.accent,v.lineWidth=2,v.strokeRect(A*f+1,$*g+1,f-3,g-3))}return h.role="img",h.ariaLabel=`${this.caption(e,t,!1)}, ${l} rows, ${d} columns`,i&&this.selectable(h,e,s,l,d,f,g),h.style.color="",p}selectable(e,t,o,s,r,i,a){let{shape:l}=this.pass.tensors[t],d=(m,h)=>{m<0||h<0||m>=s||h>=r||(this.pinned={tensor:t,index:[...o,m,h].slice(-l.length||1/0)},l.length||(this.pinned.index=[]),this.draw(),this.main.querySelector(`[data-tensor="${t}"]`)?.focus({preventScroll:!0}))};e.tabIndex=0,e.dataset.tensor=String(t),e.onclick=m=>d(Math.floor(m.offsetY/a),Math.floor(m.offsetX/i)),e.onkeydown=m=>{let h={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]}[m.key];if(!h)return;m.preventDefault();let[p,u]=this.pinned?.tensor===t?[this.pinned.index.at(-2)??0,this.pinned.index.at(-1)??0]:[0,-h[1]];d(p+h[0],u+h[1])}}}});var Wu={};k(Wu,{default:()=>V0});async function J0(n,e){try{let t=await Ee(new URL(`./own-pass/${encodeURIComponent(n)}`,document.baseURI),K0,e);return t.ok?await t.json():await t.text()}catch{return"Server not responding. Reload the page."}}var K0,wr,V0,_l,Uu=y(()=>{j();$u();Ru();ct();I();ce();S();Bu();K0=12e4,wr={name:"",at:0},V0=C([R,Au,Ou],n=>new _l(n),(n,{data:e})=>n.show(e.pass)),_l=class{box;name="";view=null;ended=new AbortController;zoom=Dn();sizes=new ResizeObserver(()=>{this.zoom!==Dn()&&(this.zoom=Dn(),this.view?.draw())});constructor(e){this.box=c("div","traced"),e.append(this.box),this.sizes.observe(this.box),document.addEventListener("keydown",t=>this.key(t),{signal:this.ended.signal})}async show(e){if(e===this.name)return this.view?.draw();this.name=e,this.view=null,this.box.replaceChildren(c("p","hint","Loading ..."));let t=await J0(e,()=>this.name===e);if(this.name===e){wr.name!==e&&Object.assign(wr,{name:e,at:0}),this.box.replaceChildren();try{if(typeof t=="string")throw t;this.view=new br(t,this.box,wr.at,o=>wr.at=o,!1)}catch(o){let s=typeof o=="string"?o:"This pass can't be drawn. Trace your code again.";this.box.replaceChildren(c("p","hint",s))}}}key(e){if(!this.view||!this.box.isConnected||!te(e))return;let t=$e(e);if(t==="ArrowRight"||t==="PageDown")this.view.go(this.view.at+1);else if(t==="ArrowLeft"||t==="PageUp")this.view.go(this.view.at-1);else if(t==="g"&&!e.repeat)this.view.turn();else return;e.preventDefault()}close(){this.ended.abort(),this.sizes.disconnect(),this.name="",this.view=null,this.box.remove()}}});var qu,ju=y(()=>{qu=`/* The table of runs that are compared. */
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
`});var _u={};k(_u,{default:()=>Q0});function Z0({by:n,text:e,most:t},o){let s=(o?-1:1)*(t?-1:1);return(r,i)=>{let[a,l]=[r[n],i[n]];return a===null||l===null?+(a===null)-+(l===null):s*(e?String(a).localeCompare(String(l)):a-l)}}function ek(n){return n!==0&&Math.abs(n)<.001?n.toExponential(1):n.toPrecision(3)}var It,X0,Q0,Gl,Fl,Gu=y(()=>{j();ju();nt();Ie();I();S();It=[{by:"name",title:"Run",text:!0},{by:"status",title:"Status",text:!0},{by:"steps",title:"Steps to solved",form:U},{by:"seconds",title:"Seconds to solved, without tests",form:n=>n.toFixed(2)},{by:"exact",title:"Best exact match",form:W,most:!0},{by:"loss",title:"Latest loss",form:ek},{by:"parameters",title:"Parameters",form:U}],X0={name:40,note:500},Q0=C([R,qu],n=>new Gl(n),(n,{data:e,setStateValue:t})=>{n.acts.adopt(e,o=>t("acts",o)),n.data=e,n.listen(),n.draw()}),Gl=class{data;lines=new Map;live=new Map;groups=new Map;open=null;acts=new oe;frame=0;heads=It.map(({by:e,title:t,text:o})=>c("th",o?"":"number",x("sort",t,()=>this.act("sort","",this.turned(e))),{scope:"col"}));body=c("tbody");order=c("select","",new Option("newest first",""),...It.map(({by:e,title:t})=>new Option(t,e)));more=x("more","",()=>this.act("more",""));box=c("div","box",c("label","order large","Sorted by ",this.order));constructor(e){let t=c("th","choice",c("span","unseen","In the charts")),o=c("table","runs",c("thead","",c("tr","",t,...this.heads)),this.body,{ariaLabel:"Runs"});this.order.addEventListener("change",()=>this.act("sort","",this.order.value)),this.box.append(o,this.more),e.append(this.box)}close(){cancelAnimationFrame(this.frame);for(let e of this.live.values())e.close();this.box.remove()}listen(){let e=new Set(this.data.rows.map(({id:t})=>t));for(let[t,o]of this.live)e.has(t)||(o.close(),this.live.delete(t));for(let{id:t,channel:o,now:s}of this.data.rows){let r=this.live.get(t)??new ze(()=>{cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>this.draw())});this.live.set(t,r),r.show({channel:o,at:this.data.at,now:s})}}act(e,t,o){this.acts.add(e,t,o),this.draw()}turned(e){return this.sort===e?`-${e}`:this.sort===`-${e}`?"":e}get sort(){return this.acts.pending.findLast(([,e])=>e==="sort")?.[3]??this.data.sort}get rows(){let e=this.data.rows.map(s=>{let r=this.live.get(s.id)?.values??s.now;return{...s,...r,colour:s.colour??r.line_colour}}),t=new Map(e.map(s=>[s.id,s])),o={show:"shown",colour:"colour",rename:"name",note:"note"};for(let[,s,r,i]of this.acts.pending){let a=t.get(r);o[s]&&a&&(a[o[s]]=i)}return e}draw(){let{rows:e,sort:t}=this,o=t.replace("-",""),s=It.find(l=>l.by===o);s&&e.sort(Z0(s,t.startsWith("-")));let r=t.startsWith("-")?"descending":"ascending";this.heads.forEach((l,d)=>l.ariaSort=It[d]===s?r:null),this.order.value=o;let i=e.filter(l=>l.shown).length>=this.data.most,a=[];for(let l of this.grouped(e,a)){let d=this.lines.get(l.id)??new Fl(this,l.id);this.lines.set(l.id,d),d.fill(l,i),a.push(d.main,d.details)}for(let[l,d]of this.lines)d.main.isConnected&&!a.includes(d.main)&&this.lines.delete(l);me(this.body,a),this.more.hidden=!this.data.hidden,this.more.textContent=`Show ${this.data.hidden} more`}*grouped(e,t){let o=new Set;for(let s of e){if(s.sweep||(yield s),!s.sweep||o.has(s.sweep))continue;o.add(s.sweep);let r=e.filter(({sweep:a})=>a===s.sweep),i=this.groups.get(s.sweep)??this.groupOf(s.sweep);i.open===null&&r.some(({shown:a})=>a)&&(i.open=!0),b(i.counts,` ${r.length} runs · ${r.filter(({steps:a})=>a!==null).length} solved`),i.name.ariaExpanded=String(i.open===!0),t.push(i.row),i.open&&(yield*r)}}groupOf(e){let t=x("name",`Sweep ${e}`,()=>{r.open=!r.open,this.draw()}),o=c("span"),s=c("td","",t,o,{colSpan:It.length+1}),r={row:c("tr","sweep",s),name:t,counts:o,open:null};return this.groups.set(e,r),r}colour(e){let{light:t,dark:o}=this.data.colours;return`light-dark(${t[e%t.length]}, ${o[e%o.length]})`}};Fl=class{runs;id;row;box=c("input","",{type:"checkbox",onchange:()=>this.runs.act("show",this.id,this.box.checked)});name=x("name","",()=>{this.turn(this.runs.open!==this.id),this.runs.open===this.id&&this.details.querySelector("input, button")?.focus({preventScroll:!0})});first=c("span","tag","reference",{title:"All differences are relative to this run."});difference=c("div","difference");note=c("div","note");badge=c("span","badge");at=c("span","at");cells=It.slice(2).map(({by:e,title:t})=>{let o=c("td",`number ${e}`);return o.dataset.title=t,o});main=c("tr","run",c("td","choice",c("label","dot",this.box)),c("td","what",c("div","top wrap",this.name,this.first),this.difference,this.note),c("td","status",this.badge,this.at),...this.cells);inside=c("td","",{colSpan:It.length+1});details=c("tr","details",this.inside);updates=[];constructor(e,t){this.runs=e,this.id=t,this.details.addEventListener("keydown",o=>{o.stopPropagation(),o.key==="Escape"&&(this.turn(!1),this.name.focus())})}turn(e){this.runs.open=e?this.id:null,this.runs.draw()}fill(e,t){this.row=e;let{runs:o,main:s,box:r}=this,i=o.open===this.id;s.style.setProperty("--run",o.colour(Number(e.colour))),s.classList.toggle("open",i),s.classList.toggle("shown",e.shown),r.checked=e.shown,r.disabled=!e.shown&&t,r.title=r.disabled?`${o.data.most} runs is the most that the charts show.`:"In the charts",r.ariaLabel=`${e.name} in the charts`,b(this.name,e.name),this.name.ariaExpanded=String(i),this.first.hidden=!e.first,b(this.difference,e.difference),b(this.note,e.note),this.note.hidden=!e.note,b(this.badge,e.status),this.badge.dataset.status=e.status,b(this.at,e.ended?"":`step ${U(e.step)}`),It.slice(2).forEach(({by:a,form:l},d)=>{let m=e[a];b(this.cells[d],m===null?"–":[l?.(m)??m,e[`${a}_of`]].filter(Boolean).join(" ")),this.cells[d].title=e[`${a}_evidence`]??""}),this.details.hidden=!i,i===!this.updates.length&&(i?this.inside.append(this.form()):this.inside.replaceChildren()),i||(this.updates=[]);for(let a of this.updates)a(e)}form(){let{runs:e,id:t}=this,o=(a,l,d,m="")=>{let h=x(a,l,()=>e.act(a,t),{title:m});return this.updates.push(p=>h.hidden=!d(p)),h},s=c("div","actions framed wrap",o("open","Open this run",()=>!0,"Its own charts, predictions and controls."),o("first","Compare the others with it",a=>!a.first,"Show differences relative to this run."),o("duplicate","Duplicate with a change",()=>!0,"Copy its settings to the form below the table."),o("stop","Stop",a=>a.mine&&!a.ended),o("delete","Delete",a=>a.mine&&a.ended,"Can be undone."));if(!this.row.mine)return c("div","form",s);let r=e.data.colours.light.map((a,l)=>{let d=x("pick","",()=>e.act("colour",t,l),{ariaLabel:`Colour ${l+1}`});return d.style.setProperty("--run",e.colour(l)),this.updates.push(m=>d.ariaPressed=String(m.colour===l)),d}),i=c("fieldset","colours",c("legend","","Colour"),...r);return c("div","form",this.field("rename","Name",c("input")),i,this.field("note","Note",c("textarea")),s)}field(e,t,o){let{runs:s,id:r}=this,i=e==="rename"?"name":e,a=c("span","problem",{role:"alert"});o.maxLength=X0[i];let l=!1;o.addEventListener("input",()=>l=!0);let d=()=>{l&&o.value!==this.row[i]&&s.act(e,r,o.value),l=!1};return o.addEventListener("change",d),o.addEventListener("keydown",m=>{!(m instanceof KeyboardEvent)||m.key!=="Enter"||m.shiftKey||(m.preventDefault(),d())}),this.updates.push(m=>{let h=s.data.problem,p=h&&h.id===r&&h.verb===e?h:null;b(a,p?.sentence??""),l||(o.value=p?p.value:m[i])}),c("label",e,t,o,a)}}});var Ku,Fu=y(()=>{Ku=`/* What a stage has made keeps its room, whatever it is. */
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
`});var Vu={};k(Vu,{default:()=>ok});var nk,ok,Kl,Ju=y(()=>{pt();j();$n();Ol();Fu();Le();Zt();tn();ar();de();Ve();Ie();I();S();nk=[he,R,Je,hr,Ku],ok=C(nk,n=>new Kl(n),(n,{data:e})=>n.show(e)),Kl=class{parent;theme;root;observer=new ResizeObserver(()=>this.layout());shown="";size="";live=new ze(()=>this.draw());strip=c("div","strip");words=c("div","words");tensor=c("div","tensor");group=new ye(this.tensor);numbers=c("div","numbers");value=c("div","value cut");legend=c("div","legend wrap");figure=c("div","figure",this.tensor,this.numbers,c("div","foot",this.value,this.legend));constructor(e){this.parent=e,this.theme=F(e),this.root=e.querySelector(".slow-motion"),this.root.append(this.strip,this.words,this.figure),this.group.listen(this.tensor,()=>this.tell()),this.observer.observe(this.root)}close(){this.live.close(),this.observer.disconnect(),ke.set(this,null),this.root.replaceChildren()}show(e){this.live.show(e),this.draw()}draw(){let{message:e}=this.live.values;if(e===void 0)return;let t=ee(Uint8Array.from(atob(e),i=>i.charCodeAt(0)));ke.set(this,t.lit);let o=F(this.parent),s=JSON.stringify([t.stage,t.strip,t.words,o]);if(s===this.shown)return;Object.assign(this,{shown:s,theme:o});for(let i of["strip","words","numbers"])this[i].innerHTML=t[i];let[r]=t.tensors;this.figure.classList.toggle("drawn",!!r),this.size="",r&&this.fill(r,o),this.layout()}fill(e,t){this.group.fill(e,We(e),{heads:e.heads?.count,columns:e.columns.count},t,null);for(let o of this.group.tiles)o.node.tabIndex=-1,o.node.setAttribute("role","img"),o.node.setAttribute("aria-label",qn([e.title,o.grid.title].filter(Boolean).join(", "),o.grid));this.legend.replaceChildren(...Io(this.group.grids,[],t))}layout(){let{clientWidth:e,clientHeight:t}=this.figure,o=`${e} ${t}`;if(!e||o===this.size)return;this.size=o;let s=this.strip.firstElementChild;s?.classList.remove("short"),s?.classList.toggle("short",s.scrollWidth>s.clientWidth),this.tensor.clientWidth&&So(this.group,this.tensor.clientWidth,this.tensor.clientHeight,this.theme),this.tell()}tell(){this.value.textContent=this.group.words(" = ")}}});var Xu,Yu=y(()=>{Xu=`/* A sweep: small charts side by side and a table of what came out. */
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
`});var nf={};k(nf,{default:()=>ik});function Qu(n,e){let t=[];for(;n[`${e} ${t.length}`];)t.push(n[`${e} ${t.length}`]);return t}function Zu({cards:n,percent:e,steps:t}){let o=Math.max(1,t),s=m=>tf*m/o;if(e)return{last:o,across:s,up:m=>Go*(1-m),ends:["100 %","0 %"]};let r=n.flatMap(m=>m.lines.flatMap(h=>h.values)).filter(m=>m>0),i=Math.min(...r,1/0),a=Math.max(...r,-1/0);if(!(a>i))return{last:o,across:s,up:()=>Go/2,ends:r.length?[xr(a),""]:["",""]};let l=Math.log(a)-Math.log(i);return{last:o,across:s,up:m=>Go*(1-(Math.log(Math.max(m,i))-Math.log(i))/l),ends:[xr(a),xr(i)]}}function ak(n,e){let t=x("","",()=>n(e),{title:"Compare these runs"}),o=B("g",{class:"lines"}),s=B("line",{class:"rule",y1:0,y2:Go}),r=B("svg",{viewBox:`0 0 ${tf} ${Go}`,preserveAspectRatio:"none",role:"img"},o,s),i=[c("span","top"),c("span","bottom"),c("span","last")],a=c("div","readout"),l=c("div","note"),d=c("div","plot",r,...i);return{root:c("figure","card",c("figcaption","title",t),d,a,l),title:t,svg:r,rule:s,ends:i,readout:a,note:l,lines:o}}function lk({root:n,title:e,svg:t,lines:o,ends:s,readout:r,note:i},a,l){let{across:d,up:m,last:h}=l;b(e,a.title),t.setAttribute("aria-label",`${a.title}: ${a.summary}`);let p=a.lines.map(f=>{let g=f.steps.map((v,L)=>`${L?"L":"M"}${_o(d(v))},${_o(m(f.values[L]))}`);f.steps.length===1&&g.push("h0.01");let w=B("title",{},`${f.name}: ${f.result}`);return B("path",{d:g.join(""),class:f.solved===null?"open":"solved"},w)}),u=a.lines.filter(({steps:f,bands:g})=>g.length>1&&g.length===f.length).map(({steps:f,bands:g})=>{let w=v=>(L,E)=>`${_o(d(L))},${_o(m(g[E][v]))}`;return B("path",{d:`M${[...f.map(w(1)),...f.map(w(0)).reverse()].join("L")}Z`,class:"band"})});o.replaceChildren(...u,...p),[...l.ends,`step ${U(h)}`].forEach((f,g)=>b(s[g],f)),r.dataset.all=a.summary,b(i,a.note),n.classList.toggle("waiting",!a.lines.some(f=>f.steps.length))}function ck({steps:n,values:e},t){let o=null;for(let s=0;s<n.length&&n[s]<=t;s++)o=e[s];return o}function dk(n){let e=n.length>>1;return n.length%2?n[e]:(n[e-1]+n[e])/2}function ef(n,e){let t=c("i",e);return t.style.left=`${100*Math.min(1,n)}%`,t}function _o(n){return Math.round(n*10)/10}function xr(n){return n!==0&&Math.abs(n)<.001?n.toExponential(1):String(Number(n.toPrecision(3)))}var rk,tf,Go,yr,ik,Vl,of=y(()=>{j();Yu();Ie();I();S();rk=4,tf=200,Go=100,yr={percent:!0,unit:"",columns:0,steps:1,cards:[],head:[],spread:1,rows:[]},ik=C([R,Xu],n=>new Vl(n),(n,{data:e,setTriggerValue:t})=>{n.ask=(o,s)=>t("asked",{verb:o,value:s}),n.draws=e.draws,n.live.show(e),n.draw()}),Vl=class{cards=[];at=null;unit=c("div","unit");grid=c("div","grid");table=c("table","summary");scroller=c("div","scroller",this.table);box=c("div","box");live=new ze(()=>this.draw());draws="";content="";data=yr;scale=Zu(yr);ask=()=>{};constructor(e){e.append(this.box),this.grid.addEventListener("pointermove",t=>this.point(t)),this.grid.addEventListener("pointerleave",()=>this.look(null))}close(){this.live.close(),this.box.remove()}draw(){let{percent:e,unit:t,columns:o,steps:s,head:r,spread:i,...a}=this.live.values,l=this.draws==="cards",d=l?{...yr,percent:e,unit:t,columns:o,steps:s,cards:Qu(a,"card")}:{...yr,head:r,spread:i,rows:Qu(a,"row")},m=JSON.stringify(d);this.content!==m&&(Object.assign(this,{content:m,data:d}),this.box.replaceChildren(...l?[this.unit,this.grid]:[this.scroller]),l?this.chart():this.tabulate())}chart(){let{cards:e,columns:t,unit:o}=this.data;for(b(this.unit,o),this.grid.style.setProperty("--columns",t?String(t):"auto-fill"),this.grid.style.setProperty("--rows",String(Math.ceil(e.length/(t||rk))||1)),this.scale=Zu(this.data);this.cards.length>e.length;)this.cards.pop()?.root.remove();for(;this.cards.length<e.length;){let s=ak(r=>this.ask("compare",this.data.cards[r].index),this.cards.length);this.cards.push(s),this.grid.append(s.root)}e.forEach((s,r)=>lk(this.cards[r],s,this.scale)),this.look(this.at)}point(e){let t=e.target.closest("svg");if(!t)return;let o=t.getBoundingClientRect(),s=Math.min(1,Math.max(0,(e.clientX-o.left)/o.width));this.look(Math.round(s*this.scale.last))}look(e){this.at=e,this.cards.forEach(({rule:t,readout:o},s)=>{let r=this.data.cards[s];if(t.toggleAttribute("hidden",e===null),e===null)return b(o,o.dataset.all??"");let i=_o(this.scale.across(e));t.setAttribute("x1",String(i)),t.setAttribute("x2",String(i));let a=r.lines.map(h=>ck(h,e)).filter(h=>h!==null);a.sort((h,p)=>h-p);let l=this.data.percent?W:xr,m=a.length>1&&a[0]!==a.at(-1)?` (${l(a[0])} to ${l(a[a.length-1])})`:"";b(o,a.length?`step ${U(e)}: ${l(dk(a))}${m}`:`step ${U(e)}: –`)})}tabulate(){let{head:e,rows:t,spread:o}=this.data,s=e.map((i,a)=>c("th",a?"":"first",i,{scope:"col"})),r=t.map(({cells:i,marks:a,middle:l})=>{let d=a.map(p=>ef(p/o,"mark")),m=c("div","track",...d,l!==null&&ef(l/o,"middle")),h=i.map((p,u)=>c("td",u?"":"first",p));return c("tr","",...h,c("td","strip",m))});this.table.replaceChildren(c("thead","",c("tr","",...s)),c("tbody","",...r))}}});var hk,Jl=y(()=>{hk=Ql({"../build/first_look.ts":()=>Promise.resolve().then(()=>(Ph(),Hh)),"../checkpoints/cards.ts":()=>Promise.resolve().then(()=>(Gh(),_h)),"../checkpoints/corner.ts":()=>Promise.resolve().then(()=>(la(),jh)),"../checkpoints/drop.ts":()=>Promise.resolve().then(()=>(Jh(),Vh)),"../checkpoints/pair.ts":()=>Promise.resolve().then(()=>(hm(),dm)),"../checkpoints/upload.ts":()=>Promise.resolve().then(()=>(qs(),qh)),"../experiment/outcome.ts":()=>Promise.resolve().then(()=>(pm(),mm)),"../experiment/switches.ts":()=>Promise.resolve().then(()=>(bm(),gm)),"../generate/beam_tree.ts":()=>Promise.resolve().then(()=>(vm(),km)),"../generate/generation.ts":()=>Promise.resolve().then(()=>(Cm(),Sm)),"../generate/kv_cache.ts":()=>Promise.resolve().then(()=>(Nm(),Om)),"../learn/assignments/copied_text.ts":()=>Promise.resolve().then(()=>(Im(),zm)),"../learn/assignments/receipts.ts":()=>Promise.resolve().then(()=>(Bm(),Dm)),"../learn/assignments/reveal.ts":()=>Promise.resolve().then(()=>(Um(),Wm)),"../learn/formula_rows.ts":()=>Promise.resolve().then(()=>(Fm(),Gm)),"../learn/grid.ts":()=>Promise.resolve().then(()=>(Xm(),Ym)),"../parts/acts.ts":()=>Promise.resolve().then(()=>(nt(),Cc)),"../parts/address.ts":()=>Promise.resolve().then(()=>(gn(),Nc)),"../parts/ask.ts":()=>Promise.resolve().then(()=>(ct(),Rh)),"../parts/attention.ts":()=>Promise.resolve().then(()=>(bo(),Nh)),"../parts/charts/chart.ts":()=>Promise.resolve().then(()=>(No(),ip)),"../parts/charts/chart_export.ts":()=>Promise.resolve().then(()=>(Ka(),cp)),"../parts/charts/chart_store.ts":()=>Promise.resolve().then(()=>(on(),Zm)),"../parts/charts/chart_theme.ts":()=>Promise.resolve().then(()=>(Qs(),tp)),"../parts/charts/charts.ts":()=>Promise.resolve().then(()=>(Mp(),Cp)),"../parts/charts/examples.ts":()=>Promise.resolve().then(()=>(Ja(),bp)),"../parts/charts/heads.ts":()=>Promise.resolve().then(()=>(Ya(),yp)),"../parts/charts/own_input.ts":()=>Promise.resolve().then(()=>(Va(),up)),"../parts/charts/prose.ts":()=>Promise.resolve().then(()=>(nr(),mp)),"../parts/charts/toolbar.ts":()=>Promise.resolve().then(()=>(Za(),kp)),"../parts/code/code_file.ts":()=>Promise.resolve().then(()=>(Ap(),$p)),"../parts/component.ts":()=>Promise.resolve().then(()=>(I(),Bc)),"../parts/heatmaps/colours.ts":()=>Promise.resolve().then(()=>(Le(),Bh)),"../parts/heatmaps/group.ts":()=>Promise.resolve().then(()=>(Zt(),om)),"../parts/heatmaps/layout.ts":()=>Promise.resolve().then(()=>(tn(),cm)),"../parts/heatmaps/legend.ts":()=>Promise.resolve().then(()=>(ar(),Rp)),"../parts/heatmaps/message.ts":()=>Promise.resolve().then(()=>(Ve(),Oh)),"../parts/heatmaps/tile.ts":()=>Promise.resolve().then(()=>(Ot(),tm)),"../parts/live/changes.ts":()=>Promise.resolve().then(()=>(Pp(),Hp)),"../parts/live/focus.ts":()=>Promise.resolve().then(()=>(Cr(),ic)),"../parts/live/progress.ts":()=>Promise.resolve().then(()=>(Bp(),Dp)),"../parts/live/stream.ts":()=>Promise.resolve().then(()=>(Ie(),ed)),"../parts/map/diagram.ts":()=>Promise.resolve().then(()=>(qp(),jp)),"../parts/map/explained.ts":()=>Promise.resolve().then(()=>(al(),Gp)),"../parts/map/follow.ts":()=>Promise.resolve().then(()=>(Cn(),lh)),"../parts/shortcuts.ts":()=>Promise.resolve().then(()=>(ce(),mc)),"../parts/shown.ts":()=>Promise.resolve().then(()=>(de(),Dc)),"../parts/streamlit_dom.ts":()=>Promise.resolve().then(()=>(ne(),Zl)),"../parts/styles.ts":()=>Promise.resolve().then(()=>(Z(),Ic)),"../parts/tips.ts":()=>Promise.resolve().then(()=>(Bs(),Mh)),"../parts/words.ts":()=>Promise.resolve().then(()=>(S(),cc)),"../passes/cell/cells.ts":()=>Promise.resolve().then(()=>(hl(),Fp)),"../passes/cell/expression.ts":()=>Promise.resolve().then(()=>(pl(),Qp)),"../passes/cell/play.ts":()=>Promise.resolve().then(()=>(bl(),Zp)),"../passes/frame.ts":()=>Promise.resolve().then(()=>(yl(),eu)),"../passes/look.ts":()=>Promise.resolve().then(()=>(xl(),tu)),"../passes/maps.ts":()=>Promise.resolve().then(()=>(ru(),su)),"../passes/marks.ts":()=>Promise.resolve().then(()=>($l(),lu)),"../passes/matrices.ts":()=>Promise.resolve().then(()=>(pu(),mu)),"../passes/matrix.ts":()=>Promise.resolve().then(()=>(Ao(),Jm)),"../passes/pictures.ts":()=>Promise.resolve().then(()=>(Ys(),_m)),"../passes/statement.ts":()=>Promise.resolve().then(()=>(Rl(),fu)),"../passes/table.ts":()=>Promise.resolve().then(()=>(cr(),au)),"../passes/tensors.ts":()=>Promise.resolve().then(()=>(wu(),bu)),"../room/answers.ts":()=>Promise.resolve().then(()=>(ks(),Dd)),"../room/ask_panel.ts":()=>Promise.resolve().then(()=>(Pi(),Gd)),"../room/join_card.ts":()=>Promise.resolve().then(()=>(ro(),dd)),"../room/questions.ts":()=>Promise.resolve().then(()=>(Bi(),Fd)),"../room/room.ts":()=>Promise.resolve().then(()=>(Xi(),Ub)),"../room/room_check.ts":()=>Promise.resolve().then(()=>(wi(),id)),"../room/room_client.ts":()=>Promise.resolve().then(()=>(st(),od)),"../room/room_context.ts":()=>Promise.resolve().then(()=>(Vi(),yh)),"../room/tries.ts":()=>Promise.resolve().then(()=>(qi(),ih)),"../runs/text_file.ts":()=>Promise.resolve().then(()=>(xu(),yu)),"../shell/every_page.ts":()=>Promise.resolve().then(()=>(zr(),bc)),"../shell/keys.ts":()=>Promise.resolve().then(()=>(vu(),ku)),"../shell/lesson_plan.ts":()=>Promise.resolve().then(()=>(es(),Vr)),"../shell/opening.ts":()=>Promise.resolve().then(()=>(zl(),S0)),"../shell/plan_panel.ts":()=>Promise.resolve().then(()=>(Jr(),Lc)),"../shell/presenter.ts":()=>Promise.resolve().then(()=>(Ri(),Od)),"../shell/scripts.ts":()=>Promise.resolve().then(()=>(rf(),sf)),"../shell/start.ts":()=>Promise.resolve().then(()=>(Lu(),C0)),"../shell/theme.ts":()=>Promise.resolve().then(()=>(Xr(),Sc)),"../step/outline.ts":()=>Promise.resolve().then(()=>(Mu(),Cu)),"../step/own_pass.ts":()=>Promise.resolve().then(()=>(Uu(),Wu)),"../train/runs.ts":()=>Promise.resolve().then(()=>(Gu(),_u)),"../train/slow_motion.ts":()=>Promise.resolve().then(()=>(Ju(),Vu)),"../train/sweep.ts":()=>Promise.resolve().then(()=>(of(),nf))})});var sf={};k(sf,{default:()=>mk});var mk,rf=y(()=>{Ri();Xi();Bs();Jl();mk=n=>hk(`../${n}.ts`)});rf();export{mk as default};

var Ac=Object.create;var ho=Object.defineProperty;var Rc=Object.getOwnPropertyDescriptor;var Oc=Object.getOwnPropertyNames;var Hc=Object.getPrototypeOf,Nc=Object.prototype.hasOwnProperty;var Mr=n=>t=>{var e=n[t];if(e)return e();throw new Error("Module not found in bundle: "+t)};var b=(n,t,e)=>()=>{if(e)throw e[0];try{return n&&(t=n(n=0)),t}catch(o){throw e=[o],o}};var mo=(n,t)=>()=>{try{return t||n((t={exports:{}}).exports,t),t.exports}catch(e){throw t=0,e}},x=(n,t)=>{for(var e in t)ho(n,e,{get:t[e],enumerable:!0})},zc=(n,t,e,o)=>{if(t&&typeof t=="object"||typeof t=="function")for(let s of Oc(t))!Nc.call(n,s)&&s!==e&&ho(n,s,{get:()=>t[s],enumerable:!(o=Rc(t,s))||o.enumerable});return n};var Me=(n,t,e)=>(e=n!=null?Ac(Hc(n)):{},zc(t||!n||!n.__esModule?ho(e,"default",{value:n,enumerable:!0}):e,n));var uo=mo(()=>{var $r="compare",Pc=history.pushState.bind(history),po={from:"",at:-1/0};history.pushState=(n,t,e)=>{let o=new URL(e??"",location.href),s=o.pathname!==location.pathname,r=o.searchParams.has($r)&&!new URLSearchParams(location.search).has($r);!s&&location.search&&!o.search&&(po={from:location.href,at:performance.now()}),s&&!location.search&&performance.now()-po.at<1e3&&history.replaceState(history.state,"",po.from),s||r?Pc(n,t,o.href):history.replaceState(n,t,e)}});var Or={};x(Or,{arrange:()=>bt,button:()=>v,chooser:()=>Ft,clip:()=>Ae,decimal:()=>I,drawing:()=>z,element:()=>c,exact:()=>wt,label:()=>tt,notices:()=>he,penOf:()=>ct,percent:()=>H,position:()=>ht,range:()=>me,remember:()=>$e,remembered:()=>ce,scrolling:()=>le,short:()=>de,size:()=>Ht,summary:()=>Re,tabular:()=>fo,visible:()=>F,whole:()=>yt,write:()=>k});function c(n,t="",...e){let o=document.createElement(n);t&&(o.className=t);for(let s of e)s&&(typeof s=="string"||s instanceof Node?o.append(s):Object.assign(o,s));return o}function v(n,t,e,o={}){let s=c("button",n,t,{type:"button",...o});return s.addEventListener("click",e),s}function Ft(n,t){let e=c("input","",{type:"file",accept:n,hidden:!0});return e.addEventListener("change",()=>{t([...e.files??[]]),e.value=""}),e}function le(n,t,...e){return c("div",n,...e,{tabIndex:0,role:"region",ariaLabel:t})}function z(n,t,...e){let o=document.createElementNS("http://www.w3.org/2000/svg",n);for(let[s,r]of Object.entries(t))o.setAttribute(s,String(r));return o.append(...e),o}function ct(n,t){return n.getContext("2d",t)}function ce(n,t){try{return window[n].getItem(t)}catch{return null}}function $e(n,t,e){try{window[n].setItem(t,e)}catch{}}function he(){let n=c("div","playground-notice",{role:"status"});return document.body.append(n),n}function k(n,t){n.textContent!==t&&(n.textContent=t)}function bt(n,t){let{children:e}=n;if(e.length===t.length&&t.every((s,r)=>e[r]===s))return;let o=n.getRootNode().activeElement;n.replaceChildren(...t),o instanceof HTMLElement&&n.contains(o)&&o.focus({preventScroll:!0})}function Ht(n,t,e){n.style.width=`${t}px`,n.style.height=`${e}px`}function F(n){let t=n.replaceAll(`
`,"↵").replaceAll("	","⇥");return t.trim()?t:t.replaceAll(" ","␣")}function wt(n,t){let e=n.values[t],o=n.hidden?.[t]??0;return n.kind==="mask"?e?"allowed":`blocked${o?` (${Ar[o]})`:""}`:o||e===-1/0?`${I(e)} (masked${o?`: ${Ar[o]}`:""})`:n.whole?String(e):I(e)}function fo(n,t){let e=n.hidden?.[t]??0,o=n.kind==="mask"?n.values[t]?"allowed":"blocked":n.whole?String(n.values[t]):I(n.values[t]);return e?`${o} (${Ic[e]})`:o}function I(n){if(n===-1/0||n===null)return"-∞";if(n===0)return"0";let t=Math.abs(n);return t>=1e5||t<.001?n.toExponential(4):n.toFixed(4)}function H(n){if(typeof n!="number"||Number.isNaN(n))return"not measured";for(let t=1;t<=5;t++){let e=(100*n).toFixed(t);if(Number(e)>0&&Number(e)<100||n<=0||n>=1)return`${e.replace(/\.0$/,"")} %`}return n>.5?"almost 100 %":"almost 0 %"}function yt(n){return Math.round(n).toLocaleString("en")}function de(n,t){let e=Math.abs(t);return n.whole||t===0?String(t):e>=1e4||e<.005?t.toExponential(0):t.toFixed(e<9.995?2:e<99.95?1:0)}function Rr(n,t){return n.first+t+(n.axis==="V"?0:1)}function tt(n,t){if(!n.axis)return"";let e=n.names?.names[n.first+t-n.names.first];return e===void 0?String(Rr(n,t)):F(e)}function ht(n,t,e){if(!t.axis)return"";let o=Rr(t,e);return t.names?`${n} “${tt(t,e)}” (${t.axis} ${o})`:`${t.axis} ${o}`}function me(n,{first:t,count:e,size:o},s){return e<o?`${n} ${t+s}–${t+e-1+s} of ${o}`:""}function Ae(n,t,e){if(n.measureText(t).width<=e+1)return t;let o=t.length-1;for(;o>0&&n.measureText(`${t.slice(0,o)}…`).width>e;)o--;return o>0?`${t.slice(0,o)}…`:""}function Re(n,t){let e=(d,m,p)=>`${d} ${m}${d===1?"":"s"}${p&&` (${p})`}`,o=Array.from(t.values),s=o.filter(Number.isFinite),r=s.reduce((d,m)=>Math.min(d,m),1/0),i=s.reduce((d,m)=>Math.max(d,m),-1/0),a=t.kind==="mask"?0:o.reduce((d,m,p)=>d+ +(m===-1/0||(t.hidden?.[p]??0)>0),0),l=t.kind==="mask"?`${s.filter(Boolean).length} of ${t.values.length} cells allowed`:t.kind==="tokens"?"tokens":s.length?`values from ${I(r)} to ${I(i)}`:"no values",h=`${e(t.rows,"row",t.row.axis)} by ${e(t.columns,"column",t.column.axis)}`;return`${n}: ${h}, ${l}${a?`, ${a} masked`:""}.`}var Ic,Ar,C=b(()=>{Ic=["","causal","padding","both"],Ar=["","causal mask","padding","causal mask and padding"]});var zr={};x(zr,{claim:()=>U,free:()=>q,letLettersAct:()=>go,lettersAct:()=>bn,nameOf:()=>qt,onLetters:()=>bo});function q(n){let t=n.key.length>1||n.key===" ";return(Oe||t)&&Nr(n)}function Nr(n){if(n.defaultPrevented||n.isComposing||n.ctrlKey||n.altKey||n.metaKey)return!1;let t=n.composedPath().filter(e=>e instanceof Element);return t.some(e=>e.matches("dialog[open], [role=dialog], [role=listbox], [role=menu]"))||t.some(e=>e.matches(Dc)&&!e.matches(Bc))?!1:!(Gc.test(n.key)&&t.some(e=>e.matches(Wc)))}function U(n){n.preventDefault(),n.stopPropagation()}function qt({key:n,shiftKey:t}){return n.length===1?n.toLowerCase():t?`Shift+${n}`:n}function bn(){return Oe}function go(n){Oe=n,$e("localStorage",gn,n?"on":"off")}function bo(n){Hr.add(n)}var Dc,Bc,Wc,Gc,gn,Hr,Oe,K=b(()=>{C();Dc="input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox]",Bc="[type=checkbox], [type=radio], [type=range], [type=button]",Wc="[role=slider], [role=spinbutton], [role=radio], [role=radiogroup], [role=tab], [type=radio], [type=range]",Gc=/^(Arrow|Page|Home|End)/,gn="playground single-letter shortcuts",Hr=new Set,Oe=ce("localStorage",gn)!=="off";addEventListener("storage",({key:n})=>{if(!(n!==gn&&n!==null)){Oe=ce("localStorage",gn)!=="off";for(let t of Hr)t()}});document.addEventListener("keydown",n=>!Oe&&/^[rc]$/i.test(n.key)&&Nr(n)&&n.stopPropagation(),{capture:!0})});var Pr={};x(Pr,{APP:()=>pe,BLOCK:()=>He,COLUMN:()=>wn,CONNECTION:()=>yn,MAIN:()=>et,MAIN_BLOCK:()=>wo,NAVIGATION_LINK:()=>Ne,REVEAL:()=>xo,ROW:()=>yo,SCRIPT_STATE:()=>ue,keyed:()=>dt});var pe,et,wo,wn,yo,He,Ne,ue,xo,yn,dt,mt=b(()=>{pe=".stApp",et=".stMain",wo=".stMainBlockContainer",wn=".stColumn",yo=".stHorizontalBlock",He=`:is(.stElementContainer, [data-testid=stLayoutWrapper], ${wn})`,Ne=":is(.stAppHeader, .stSidebar) a",ue="data-test-script-state",xo="[class*=st-key-reveal-] button",yn="data-test-connection-state",dt=n=>`.st-key-${n}`});var Gr={};x(Gr,{arrive:()=>Lo,limit:()=>Co});function Lo(n){if(Ir===n)return;Ir=n,clearInterval(ko);let t=0,e=0;ko=setInterval(()=>{let o=document.querySelector(pe)?.getAttribute(ue)==="notRunning";t=o?t+1:0,(t===Uc||++e===_c)&&clearInterval(ko);let{activeElement:s}=document;if(s!==document.body&&!s?.matches(Ne))return;let r=o?document.querySelector(`${et} h1`):null;r?.setAttribute("tabindex","-1"),r?.focus({preventScroll:!0})},jc)}function Co(n){To=Object.fromEntries(Object.entries(n).map(([t,e])=>[t.replace(/[^\w-]/g,"-"),e]))}function Vc(){let n=document.querySelector(pe)?.getAttribute(yn),t=Wr&&n!=="CONNECTED";Wr||=n==="CONNECTED",t?xn||(xn=setTimeout(()=>k(Br,"Connection lost. Reconnecting …"),qc)):(clearTimeout(xn),xn=0,k(Br,""))}var jc,Uc,_c,Fc,qc,Ir,ko,Kc,To,vo,Dr,Br,xn,Wr,So=b(()=>{K();mt();C();jc=100,Uc=10,_c=100,Fc=8e3,qc=1500,Ir=location.pathname.split("/").pop(),ko=0;Kc={PageDown:.9,PageUp:-.9};addEventListener("keydown",n=>{let t=Kc[n.key];if(!t||n.shiftKey||document.activeElement!==document.body||!q(n))return;let e=document.querySelector(et);e?.scrollBy({top:t*e.clientHeight})});To={},vo=he(),Dr=0;addEventListener("input",({target:n})=>{if(!(n instanceof HTMLInputElement||n instanceof HTMLTextAreaElement))return;let[,t=""]=/st-key-([\w-]+)/.exec(n.closest("[class*=st-key-]")?.className??"")??[],{length:e}=n.value,o=To[t]??To[""];if(clearTimeout(Dr),!(e>o))return k(vo,"");let s=r=>r.toLocaleString("en");k(vo,`The text is too long: ${s(e)} characters. Use ${s(o)} or fewer.`),Dr=setTimeout(()=>k(vo,""),Fc)},{capture:!0});Br=he(),xn=0,Wr=!1;new MutationObserver(Vc).observe(document.body,{subtree:!0,attributeFilter:[yn],childList:!0})});var jr={};x(jr,{themes:()=>Eo});function Eo(){let n=Object.entries(Jc).map(([e,o])=>new Option(o,e)),t=c("select","small-button",...n,{ariaLabel:"Theme",title:"Choose a light or dark theme",value:Xc()});return t.addEventListener("change",()=>Yc(t.value)),t}var Jc,Xc,Yc,Mo=b(()=>{C();Jc={"":"System theme",light:"Light theme",dark:"Dark theme"},{chosen:Xc,choose:Yc}=window.playgroundTheme});var Ur={};x(Ur,{Acts:()=>D});var D,xt=b(()=>{D=class{pending=[];#t=0;#e="";#o=null;#r=0;#n=0;adopt({session:t,heard:e},o){this.#o=o;let s=this.pending.length;this.#e!==t&&(this.pending=[]),this.#e=t,this.pending=this.pending.filter(([r])=>r>e),this.#t=Math.max(this.#t,e),this.pending.length<s&&(clearTimeout(this.#n),this.#n=0),this.#s()}release(){this.#o=null}add(t,e="",o=null){this.pending.push([++this.#t,t,e,o]),this.#s()}#s(){!this.#o||this.#n||!this.pending.length||(this.#n=setTimeout(()=>{this.#n=0,this.#s()},3e3),this.#o({session:this.#e,message:++this.#r,acts:[...this.pending]}))}}});var E,P=b(()=>{E=`/* What the sheets of components share. Rules in :where() give way to any other. */
:host {
  color: var(--st-text-color);
  font-family: var(--st-font);
  font-size: calc(0.875rem * var(--present-scale, 1));
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
:where(.large button:not(:hover)) {
  background: none;
}
:where(.small-button, .framed :is(button, select, summary)) {
  border: 1px solid var(--st-border-color);
  border-radius: 0.4rem;
  font-size: 0.8rem;
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
`});var Fr,_r=b(()=>{Fr=`/* The map's components: the way to an operation, the outline, the window of keys, the statement in its function. */
:host {
  font-size: 0.875rem;
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
  order: -1;
  visibility: var(--tools-share, visible); /* it keeps its room, so nothing else moves */
}
select.small-button {
  background: var(--st-background-color); /* or its list is white on white on a dark page */
  min-width: 0;
  text-overflow: ellipsis;
}
.small-button svg {
  fill: none;
  height: 0.85rem;
  stroke: currentColor;
  stroke-linecap: round;
  stroke-width: 1.4;
}

/* ---- the way */
.tour {
  gap: 0.35rem;
  margin-bottom: 0.3rem;
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
  font-size: 0.7rem;
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
  font-size: 0.875rem;
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
  font: 600 0.8rem/1.4 var(--st-font);
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
  font: 0.8rem / var(--line) var(--st-code-font, monospace);
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
figcaption {
  align-items: center;
  display: flex;
  font-size: 0.8rem;
  gap: 0.2rem 0.8rem;
  min-height: 2.1rem;
}
figcaption .where {
  font-family: var(--st-code-font, monospace);
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
    font-size: 0.82rem;
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
`});var Kr={};x(Kr,{calm:()=>V,dress:()=>Nt,mapSheets:()=>nt});function th(n){let t=qr.get(n);return t||(t=new CSSStyleSheet,t.replaceSync(n),qr.set(n,t)),t}function Nt(n,t){let e=n.getRootNode(),o=t.map(th).filter(s=>!e.adoptedStyleSheets.includes(s));o.length&&(e.adoptedStyleSheets=[...e.adoptedStyleSheets,...o])}function V(){return matchMedia("(prefers-reduced-motion: reduce)").matches}var qr,nt,J=b(()=>{P();_r();qr=new Map;nt=[E,Fr]});var Vr={};x(Vr,{Shown:()=>kt,lit:()=>ot,siblings:()=>fe,slide:()=>ze,walk:()=>Kt});var kt,ot,Kt,fe,ze,vt=b(()=>{kt=class{value=null;#t=null;#e=new Set;watch(t){return this.#e.add(t),t(this.value),()=>{this.#e.delete(t)}}set(t,e){if(!e&&this.#t!==t)return!1;this.#t=e&&t,this.value=e;for(let o of this.#e)o(e);return!0}},ot=new kt,Kt=new kt,fe=new kt,ze=new kt});var Jr={};x(Jr,{component:()=>L});function L(n,t,e){let o=new WeakMap;return s=>{let r=s.parentElement,i=o.get(r)??{drawn:(Nt(r,n),t(r)),calls:0};o.set(r,i);let a=++i.calls;return e(i.drawn,s),()=>setTimeout(()=>{i.calls===a&&(i.drawn.close(),o.delete(r))},eh)}}var eh,R=b(()=>{J();eh=500});var ci={};x(ci,{default:()=>ch,listen:()=>hh});function hh({data:n,setStateValue:t}){return kn=n.link,vn.adopt(n,e=>t("acts",e)),()=>{kn===n.link&&(kn={},vn.release())}}function De(){return ge?.node.isConnected?ge.data:null}function Ro(){return(De()?.slides??[]).filter(({parts:n,panels:t})=>{let e=document.querySelector(dt(n.at(-1)??"")),o=e&&t.length?[...e.querySelectorAll("*")].find(s=>s.shadowRoot)?.shadowRoot:null;return e&&(!t.length||t.some(s=>o?.querySelector(`[data-panel="${s}"]`)))})}function Cn(){if($===null)return null;let n=Ro();return n.find(({name:t})=>t===$)??n[0]??null}function Yr(n){let t=Ro(),e=Cn()?.name,o=t.findIndex(({name:s})=>s===e)+n;t[o]&&Sn(t[o].name)}function Sn(n){Tn="",$=n,history.replaceState(history.state,"",location.href),Oo()}function Oo(){let n=Ro();if(n.some(s=>s.name===Tn))return Sn(Tn);let t=Cn(),e=t?.name??null;$!==null!==st.hasAttribute("data-present")&&($===null?mh:si)(),e!==(st.dataset.slide??null)&&(e===null?delete st.dataset.slide:st.dataset.slide=e,st.dataset.parts=(t?.parts??[]).join(" "),B.rules.textContent=t?dh(t):"",document.querySelector(et)?.scrollTo(0,0),B.announcement.textContent=t?.title??"",ze.set(st,t),Ho()),ai();let o=n.length>1?n.map(s=>s.name===e?"●":"○").join(" "):"";B.dots.textContent!==o&&(B.dots.textContent=o)}function dh({parts:n}){let t=`:is(${n.map(dt).join(", ")})`,e=`[data-present]:has(${t}) ${wo}`;return`
    ${e} ${He}:not(${t}, :has(${t}), ${t} *) {
      height: 0 !important; inset-inline: 0; min-height: 0; overflow: hidden; position: absolute; visibility: hidden;
    }
    ${e} ${wn}:has(${t}) { flex: 1 1 100%; max-width: none; min-width: 100%; }
    ${e} ${yo}:has(${t}) { min-height: 0; }`}function si(){st.setAttribute("data-present",""),document.activeElement?.blur(),Ho(),zo(),B.tell(ni),li(),oi=setInterval(Oo,400)}function mh(){st.removeAttribute("data-present"),st.style.removeProperty("--present-scale"),clearInterval(oi),Pe?.release(),B.tell(""),be(null),zo(),document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function ri(){$!==null||!De()?.slides.length||(Sn(nh),st.requestFullscreen?.().then(()=>$===null?document.exitFullscreen():void 0).catch(()=>{}))}function Ao(){$!==null&&Sn(null)}function Ho(){$!==null&&(ii(Math.min(2.8,Math.max(1,Math.min(innerWidth/1024,innerHeight/576)))),ai())}function ii(n){$o=n,st.style.setProperty("--present-scale",n.toFixed(3))}function ai(){let n=document.querySelector(et);if(!(!n||!Cn()?.shrinks))for(;n.scrollHeight>n.clientHeight+1&&$o>Xr;)ii(Math.max(Xr,$o*.96))}async function li(){if(!($===null||document.hidden||Pe))try{let n=await navigator.wakeLock.request("screen");n.addEventListener("release",()=>Pe===n&&(Pe=null)),Pe=n,$===null&&n.release()}catch{$!==null&&B.tell(`${ni} · The screen may turn off`)}}function ph(n){if(n==null)return n;let t=new URL(n,location.href);return t.searchParams.get(Ie)===$?n:($===null?t.searchParams.delete(Ie):t.searchParams.set(Ie,$),t.href)}function uh(){let n=new URL(location.href);n.searchParams.delete(Ie);for(let[t,e]of Object.entries(kn))n.searchParams.set(t,e);return n.href}function gh(){let n=Cn(),t=n&&document.querySelector(`${dt(n.parts.at(-1)??"")} ${xo}`);if(!n||!t)return!1;let e=De()?.slides??[];return Tn=e[e.indexOf(n)+1]?.name??"",t.click(),!0}function ti(n){let t=De(),e=t?.pages[t.pages.indexOf(t.page)+n];if(e===void 0)return;[...document.querySelectorAll(Ne)].find(r=>new URL(r.href).pathname.split("/").pop()===e)?.click()}function be(n){if(n==="code"){B.encode(uh());let e=/^(localhost|127\.|\[::1\])/.test(location.hostname);B.hint.textContent=e?"This link works on this computer only. For others, open the app by its name in the network.":""}let t=B.covered();B.black.hidden=n!=="black",B.code.hidden=n!=="code",n==="code"?B.copy.focus():t&&(B.copy.blur(),ge?.share.focus({preventScroll:!0}))}function bh(){let n=document.createElement("style");document.head.append(n);let t=c("img","",{alt:"QR code of the link below"}),e=c("p","address"),o=c("p","hint",{role:"status"}),s=c("div","black",{hidden:!0}),r=v("copy","Copy link",async w=>{w.stopPropagation();try{await navigator.clipboard.writeText(e.textContent??""),o.textContent="Link copied."}catch{o.textContent="The browser did not allow it. Select the link and copy it."}}),a=c("div","code",t,e,r,o,{role:"dialog",ariaLabel:"Share: a link to what this page shows",hidden:!0}),l=c("div","dots",{ariaHidden:"true"}),h=c("div","keys-message"),d=c("div","announcement",{role:"status"}),m=0,p=w=>{m=1,t.src=new URL(`./qr?text=${encodeURIComponent(w)}`,document.baseURI).href,e.textContent=w};t.addEventListener("error",()=>{e.textContent.length>rh?o.textContent="This link is too long for a QR code.":m++<ih?setTimeout(()=>!a.hidden&&t.setAttribute("src",t.src),ah):o.textContent="The QR code could not be drawn. Close this and try again."});for(let w of[s,a])w.addEventListener("click",()=>be(null));document.body.append(c("div","playground-presenter",l,h,d,s,a));let u=0;return{rules:n,encode:p,hint:o,copy:r,black:s,code:a,dots:l,announcement:d,tell:w=>{clearTimeout(u),h.textContent=w,w&&(u=setTimeout(()=>h.textContent="",sh))},covered:()=>!s.hidden||!a.hidden}}function zo(){clearTimeout(ei);for(let n of Ln)n.adoptedStyleSheets=n.adoptedStyleSheets.filter(t=>t!==No);Ln=[],$!==null&&(ei=setTimeout(wh,oh))}function wh(){let n=[...document.querySelectorAll(`${et} *`)].map(t=>t.shadowRoot).filter(t=>t!==null);Ln=[document,...n];for(let t of Ln)t.adoptedStyleSheets=[...t.adoptedStyleSheets,No]}function yh(n){let t=v("small-button","",ri,{title:"Present one part at a time, in large type (F)",ariaKeyShortcuts:"F"});t.innerHTML='<svg viewBox="0 0 20 14" aria-hidden="true"><path d="M1 1h18M2.5 1v8h15V1M10 9v2M7 13.4l3-2.4 3 2.4"/></svg>Present';let e=v("small-button share","Share",()=>be("code"),{title:"A link to what this page shows (Q)",ariaKeyShortcuts:"Q"}),o=c("div","tools",Eo(),e,t);return n.append(o),{node:o,present:t,share:e,data:null,close:()=>o.remove()}}var yu,Ie,nh,oh,sh,ni,rh,ih,ah,Xr,lh,st,vn,ge,kn,$,Pe,Tn,$o,oi,B,ch,Qr,Zr,fh,No,ei,Ln,Po=b(()=>{yu=Me(uo());So();Mo();xt();J();K();vt();mt();R();C();Ie="present",nh="1",oh=3e3,sh=6e3,ni="Esc: leave · B: black · Q: QR code · ?: all keys",rh=1e3,ih=4,ah=2e3,Xr=.9,lh={f:"present",Escape:"leave",PageDown:"next",PageUp:"previous",ArrowRight:"next",ArrowLeft:"previous","Shift+PageDown":"nextPage","Shift+PageUp":"previousPage"," ":"run",s:"step",b:"black",".":"black",q:"code"},st=document.documentElement,vn=new D,ge=null,kn={},$=new URLSearchParams(location.search).get(Ie),Pe=null,Tn="",$o=1,oi=0,B=bh(),ch=L(nt,yh,(n,{data:t})=>{ge=n,ge.data=t,ge.present.hidden=!t.slides.length,Lo(t.page),Co(t.max_chars),Oo()});Qr=!1;document.addEventListener("fullscreenchange",()=>{!document.fullscreenElement&&Qr&&Ao(),Qr=document.fullscreenElement!==null});addEventListener("resize",Ho);document.addEventListener("visibilitychange",li);for(let n of["pushState","replaceState"]){let t=history[n].bind(history);history[n]=(e,o,s)=>t(e,o,ph(s))}document.addEventListener("keydown",n=>{let t=n.key==="F5"&&!n.ctrlKey&&!n.metaKey&&!n.altKey,e=n.composedPath().includes(B.copy)&&["Enter"," "].includes(n.key);if(B.covered()&&!e&&!["Shift","Control","Alt","Meta"].includes(n.key)&&!n.ctrlKey&&!n.metaKey&&!n.altKey)be(null);else if(!t||$===null)return;n.preventDefault(),n.stopImmediatePropagation()},{capture:!0});Zr={present:()=>$===null?ri():Ao(),leave:()=>$!==null&&Ao(),next:()=>$!==null&&Yr(1),previous:()=>$!==null&&Yr(-1),nextPage:()=>$!==null&&ti(1),previousPage:()=>$!==null&&ti(-1),run:()=>$!==null&&(gh()||vn.add("run","",1)),step:()=>$!==null&&vn.add("step","",1),black:()=>$!==null&&be("black"),code:()=>be("code")},fh=new Set(["present","leave","run","black","code"]);addEventListener("keydown",n=>{let t=De()?.keys;if(!t||!q(n))return;let e=qt(n),o=lh[e];!Zr[o]||!t.includes(e)||e===" "&&n.composedPath().some(s=>s instanceof Element&&s.matches("button, a, summary, [role=button]"))||(n.repeat&&fh.has(o)||Zr[o]()!==!1)&&n.preventDefault()});No=new CSSStyleSheet;No.replaceSync("* { cursor: none !important }");ei=0,Ln=[];document.addEventListener("pointermove",zo,{passive:!0});$!==null&&si()});var hi={};x(hi,{hide:()=>Tt,hideSoon:()=>An,show:()=>$n});function xh(n){$n(n,n.textContent,"",n.getAttribute("aria-description"))}function $n(n,t,e,o,s=""){if(clearTimeout(Be),Io===n&&!X.hidden)return;Io=n;let r=[["title",t],["shape",e],["",o],["action",s]];X.replaceChildren(...r.flatMap(([u,f])=>f?[c("div",u??"",f)]:[]));let i=getComputedStyle(document.querySelector(pe)??document.body);X.style.background=i.color,X.style.color=i.backgroundColor,X.hidden=!1;let a=n.getBoundingClientRect(),{offsetWidth:l,offsetHeight:h}=X,d=a.top-h-we,m=a.bottom+we,p=a.left+a.width/2-l/2;X.style.left=`${Math.max(we,Math.min(p,document.documentElement.clientWidth-l-we))}px`,X.style.top=`${d>we||m+h>innerHeight?Math.max(we,d):m}px`}function An(){clearTimeout(Be),Be=setTimeout(Tt,120)}function Tt(){clearTimeout(Be),Io=null,X.hidden=!0}var we,X,Io,Be,En,Do,Mn,Vt,Rn=b(()=>{mt();C();we=8,X=c("div","playground-tip"),Io=null,Be=0;X.setAttribute("role","tooltip");X.hidden=!0;document.body.append(X);En=n=>{let[t]=n.composedPath();return t instanceof Element?t.closest(".term"):null},Do=n=>X.contains(n.target),Mn=n=>{let t=En(n);return t&&xh(t),t},Vt=document.addEventListener.bind(document);Vt("pointerover",n=>Do(n)?clearTimeout(Be):Mn(n));Vt("pointerout",n=>(En(n)||Do(n))&&n.pointerType!=="touch"&&An());Vt("focusin",Mn);Vt("focusout",n=>En(n)&&Tt());Vt("click",n=>Mn(n)||Do(n)||Tt());Vt("keydown",n=>{if(!En(n)||n.key!=="Enter"&&n.key!==" ")return Tt();n.preventDefault(),Mn(n)});Vt("scroll",Tt,{capture:!0,passive:!0});addEventListener("resize",Tt)});var mi,di=b(()=>{mi=`/* The first look: a sentence and a short tour beside a model at work. */
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
  border: 2px solid var(--st-primary-color);
  font-weight: 600;
  margin-left: 0.3rem;
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
`});var pi={};x(pi,{Latest:()=>Lt,ask:()=>Ct});async function Ct(n,t,e=()=>!0){for(let o=1;;o++){let s=await fetch(n,{signal:AbortSignal.timeout(t)}),r=Number(s.headers.get("Retry-After"));if(s.status!==429||o===4||!e())return s;let i=Date.now()+1e3*Math.min(30,Math.max(1,r||1))*(1+Math.random()/2);for(;Date.now()<i&&e();)await new Promise(a=>setTimeout(a,200));if(!e())return s}}var Lt,Jt=b(()=>{Lt=class{most;read;known=new Map;wanted=null;busy=!1;constructor(t,e){this.most=t,this.read=e}ask(t,e){let o=this.known.get(t);this.wanted=o?null:{address:t,act:e},o?e(o):this.busy||this.work()}forget(){this.wanted=null}async work(){for(this.busy=!0;this.wanted;){let{address:t}=this.wanted,e=await this.read(t,()=>this.wanted?.address===t);"problem"in e||this.known.set(t,e);let[o]=this.known.keys();if(this.known.size>this.most&&this.known.delete(o),this.wanted?.address!==t)continue;let{act:s}=this.wanted;this.wanted=null,s(e)}this.busy=!1}}});var ui={};x(ui,{decode:()=>W});function W(n){let t=n.slice().buffer,e=new DataView(t).getUint32(0,!0),o=JSON.parse(new TextDecoder().decode(new Uint8Array(t,4,e))),s=4+e,r=(i,a)=>{let l=new i(t,s,a);return s+=4*Math.ceil(l.byteLength/4),l};return o.tensors.forEach((i,a)=>{i.index=a,i.cells=i.rows.count*i.columns.count;let l=(i.heads?.count??1)*i.cells;i.values=i.kind==="mask"?r(Uint8Array,l):r(Float32Array,l),i.slopes=i.gradient?r(Float32Array,l):null,i.causes=i.hidden?r(Uint8Array,i.hidden*i.cells):null;for(let h of[i.rows,i.columns])h.names=o.labels[h.labels]??null}),o}var St=b(()=>{});var fi={};x(fi,{attentionOf:()=>Xt});async function Xt(n,t,e){let o=new URLSearchParams(t);try{let s=new URL(`./library/${encodeURIComponent(n)}/attention?${o}`,document.baseURI),r=await Ct(s,vh,e);if(!r.ok)return{tensor:null,problem:await r.text(),later:r.status===429};let[i]=W(new Uint8Array(await r.arrayBuffer())).tensors;return{tensor:i,problem:"",later:!1}}catch{return{tensor:null,problem:"",later:!0}}}var vh,We=b(()=>{Jt();St();vh=2e4});var gi={};x(gi,{default:()=>Sh});function Eh(n){return[...n.replace(/[\s,]/g,"")].join(" ")}function Mh({values:n,heads:t,rows:e,columns:o},s){let r=t?.count??1;return Array.from({length:o.count},(i,a)=>{let l=0;for(let h=0;h<r;h++)l+=n[(h*e.count+s)*o.count+a];return l/r})}var Th,Lh,Ch,Sh,Bo,bi=b(()=>{P();di();Jt();We();J();R();C();Th=300,Lh=550,Ch=.02,Sh=L([E,mi],n=>new Bo(n),(n,{data:t,setTriggerValue:e})=>{n.open=o=>e("stop",{tap:o,input:n.answered}),n.learn=()=>e("lesson",!0),n.show(t)});Bo=class{stops;plot;status;input;questions;lines;open=()=>{};learn=()=>{};data=null;answered="";timer=0;typing=0;read=[];written=[];constructor(t){let e=o=>t.querySelector(o);e(".first").hidden=!1,this.stops=e(".stops"),e(".lesson").addEventListener("click",()=>this.learn()),this.plot=e(".plot"),this.status=e(".status"),this.input=e("input"),this.input.addEventListener("input",()=>{clearTimeout(this.typing),this.typing=setTimeout(()=>this.ask(),Th)}),this.questions=new Lt(20,(o,s)=>{let{name:r,stamp:i}=this.data;return Xt(r,{stamp:i,input:o},s).then(a=>a.tensor??a)})}close(){clearTimeout(this.timer),clearTimeout(this.typing),this.questions.forget()}show(t){this.data||(this.data=t,this.stops.replaceChildren(...Object.entries(t.stops).map(([e,o],s)=>v("stop",`${s+1} ${e}`,()=>this.open(o)))),this.input.value=this.answered=t.input,this.ask())}ask(){let t=Eh(this.input.value);if(this.plot.classList.remove("old"),!t)return k(this.status,"");this.questions.ask(t,e=>{if(!("values"in e)){this.rest(),this.plot.classList.add("old"),k(this.status,e.problem||"The server does not answer. Type again to retry.");return}this.answered=t,this.draw(e)})}draw(t){clearTimeout(this.timer);let{rows:e,columns:o}=t,s=e.count-1;this.read=Array.from({length:o.count},(i,a)=>c("span","token",tt(o,a))),this.written=Array.from({length:s},(i,a)=>{let l=v("token",tt(e,a+1),()=>this.look(t,a));for(let h of["pointerenter","focus"])l.addEventListener(h,()=>this.look(t,a));return l}),this.lines=z("svg",{viewBox:`0 0 ${o.count} 1`,preserveAspectRatio:"none","aria-hidden":"true"}),this.plot.style.setProperty("--columns",String(o.count)),this.plot.replaceChildren(c("div","row",...this.read),this.lines,c("div","row",...this.written));let r=this.written.map(i=>i.textContent).join(" ");if(this.plot.setAttribute("aria-label",`Answer: ${r}`),V()||!s){s&&this.look(t,0);return}this.plot.classList.add("writing"),this.write(t,0)}write(t,e){this.mark(t,e),this.written[e].classList.add("there"),e+1<this.written.length?this.timer=setTimeout(()=>this.write(t,e+1),Lh):this.plot.classList.remove("writing")}rest(){clearTimeout(this.timer),this.plot.classList.remove("writing")}look(t,e){this.rest(),this.mark(t,e)}mark(t,e){let o=Mh(t,e),s=o.indexOf(Math.max(...o));this.read.forEach((i,a)=>{i.style.setProperty("--weight",String(o[a])),i.classList.toggle("most",a===s)}),this.written.forEach((i,a)=>i.classList.toggle("shown",a===e)),this.lines?.replaceChildren(...o.flatMap((i,a)=>{if(i<Ch)return[];let l=z("path",{d:`M${e+.5} 1 C${e+.5} 0.4 ${a+.5} 0.6 ${a+.5} 0`});return l.style.setProperty("--weight",String(i)),[l]}));let r=t.heads?.count??1;k(this.status,`When the model predicts “${this.written[e].textContent}”, ${H(o[s])} of its cross-attention goes to the marked “${this.read[s].textContent}” (mean of ${r} heads).`)}}});var yi,wi=b(()=>{yi=`/* The library as cards. */
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
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 17.5rem), 1fr));
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
  font-size: 0.9em;
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
  font-size: 0.8em;
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
  font-size: 0.85em;
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
`});var ki={};x(ki,{CAUSAL:()=>Yt,PADDING:()=>ye,causeOf:()=>Go,css:()=>j,drawn:()=>Zt,hatch:()=>jo,hatchCss:()=>Hn,imageOf:()=>Qt,mix:()=>zt,readTheme:()=>N,readableOn:()=>Ge,shade:()=>On});function N(n){let t=getComputedStyle(n.host??n),e=c("canvas");e.width=e.height=1;let o=ct(e,{willReadFrequently:!0}),s=p=>(o.clearRect(0,0,1,1),o.fillStyle=t.getPropertyValue(p).trim(),o.fillRect(0,0,1,1),[...o.getImageData(0,0,1,1).data.subarray(0,3)]),r=p=>[1,3,5].map(u=>parseInt(p.slice(u,u+2),16)),i=s("--st-background-color"),a=s("--st-text-color"),l=xi(i)>.5?Ah:Rh,h=p=>[i,...l[p].map(r)],d=parseFloat(getComputedStyle(document.documentElement).fontSize),m=t.getPropertyValue("--st-font").trim()||"sans-serif";return{background:i,panel:s("--st-secondary-background-color"),negative:h("negative"),positive:h("positive"),probability:h("probability"),allowed:zt(i,a,.45),hatch:j(zt(i,a,.4)),lines:`rgba(${a.join(", ")}, 0.16)`,labels:j(zt(i,a,.75)),ink:j(a),accent:j(s("--st-primary-color")),small:`${.6875*d}px ${m}`,text:`${.75*d}px ${m}`,bold:`600 ${.75*d}px ${m}`,strong:`700 ${.6875*d}px ${m}`,family:m,line:Math.round(.875*d),scale:d/16}}function On(n,t,e){if(!Number.isFinite(t))return e.background;if(n.kind==="tokens")return e.panel;if(n.kind==="mask")return t?e.allowed:e.background;if(n.kind==="probability")return Wo(e.probability,t);if(!n.coloured)return e.panel;let{most:o=1}=n;return t<0?Wo(e.negative,-t/o):Wo(e.positive,t/o)}function Qt(n,t,e=()=>!0){let o=new ImageData(n.columns,n.rows);for(let s=0;s<n.values.length;s++)o.data.set(On(n,n.values[s],t),4*s),o.data[4*s+3]=e(s)?255:0;return o}function Zt(n,t){return Object.assign(n,{width:t.width,height:t.height}),ct(n).putImageData(t,0,0),n}function Wo(n,t){let e=Math.min(Math.max(t,0),1)*2,o=e<1?0:1;return zt(n[o],n[o+1],e-o)}function xi(n){let[t,e,o]=Array.from(n,s=>{let r=s/255;return r<=.04045?r/12.92:((r+.055)/1.055)**2.4});return .2126*t+.7152*e+.0722*o}function Ge(n){return xi(n)>.179?"#000":"#fff"}function zt(n,t,e){return n.map((o,s)=>Math.round(o+(t[s]-o)*e))}function j(n){return`rgb(${n.join(", ")})`}function Go(n,t){return(n.hidden?.[t]??0)||(n.values[t]===-1/0?Yt:0)}function jo(n,t,e,o){let s=Math.round(6*o),r=c("canvas");r.width=r.height=s;let i=ct(r);i.strokeStyle=t.hatch,i.lineWidth=o,i.beginPath();for(let l of[-s,0,s])e&Yt&&(i.moveTo(l,s),i.lineTo(l+s,0)),e&ye&&(i.moveTo(l,0),i.lineTo(l+s,s));i.stroke();let a=n.createPattern(r,"repeat");return a?.setTransform(new DOMMatrix().scale(1/o)),a??"transparent"}function Hn(n,t){let e=o=>`repeating-linear-gradient(${o}deg, ${n.hatch} 0 1px, transparent 1px 4px)`;return[t&Yt&&e(135),t&ye&&e(45)].filter(Boolean).join(", ")}var Ah,Rh,Yt,ye,Y=b(()=>{C();Ah={negative:["#74abd9","#0b4a8f"],positive:["#f3a354","#9c4100"],probability:["#9b78d3","#3d0f70"]},Rh={negative:["#2c68a8","#9bd0ff"],positive:["#a85a10","#ffc27d"],probability:["#8558cc","#e4d4ff"]},Yt=1,ye=2});var Li={};x(Li,{keepClear:()=>qo});function qo(n){zn!==n&&(zn=n,vi.observe(document.body,{childList:!0,subtree:!0}),addEventListener("scroll",te,{capture:!0,passive:!0}),addEventListener("resize",te)),te()}function te(){Ti||=requestAnimationFrame(Oh)}function Oh(){if(Ti=0,!zn?.isConnected)return Hh();let n=[dt("card-actions"),dt("dock")].map(i=>document.querySelector(i));if(n.some((i,a)=>i!==Fo[a])){_o.disconnect();for(let i of n)i&&_o.observe(i);Fo=n}let[t,e]=n;if(!t||!e)return Uo.style.removeProperty("--corner");let{top:o,bottom:s}=t.getBoundingClientRect(),r=innerHeight-s>=e.offsetHeight+2*Nn;Uo.style.setProperty("--corner",`${Math.round(r?Nn:Math.max(Nn,innerHeight-o+Nn/2))}px`)}function Hh(){zn=null,Fo=[],vi.disconnect(),_o.disconnect(),removeEventListener("scroll",te,{capture:!0}),removeEventListener("resize",te),Uo.style.removeProperty("--corner")}var Nn,Uo,_o,vi,zn,Fo,Ti,Ko=b(()=>{mt();Nn=14,Uo=document.documentElement,_o=new ResizeObserver(te),vi=new MutationObserver(te),zn=null,Fo=[],Ti=0});var Ci={};x(Ci,{say:()=>Pt,upload:()=>je});async function je(n,t){if(Vo)return null;let e=zh(n,t);if(e)return Pt(e,!0);Vo=!0,Pt(`Uploading ${n.name}`);try{let{name:o,message:s,problem:r}=await Ph(n);return o?(Pt(s??""),setTimeout(()=>Et.text.textContent===s&&Jo(),Nh),o):Pt(r||"The server refused the file. Try again.",!0)}catch{return Pt("The file did not reach the server. Check your connection and try again.",!0)}finally{Vo=!1,Et.bar.hidden=!0}}function Pt(n,t=!1){return Et.text.textContent=n,Et.node.classList.toggle("wrong",t),Et.node.hidden=!1,Et.close.hidden=!t,null}function zh({name:n,size:t},e){return/\.zip$/i.test(n)?t>e?`${n} is too large. A checkpoint has at most ${Math.round(e/1e6)} MB.`:"":`${n} isn't a checkpoint. Choose a .zip made by Download.`}function Ph(n){return new Promise((t,e)=>{let o=new XMLHttpRequest,s=new URLSearchParams({name:n.name});o.open("POST",new URL(`./checkpoint?${s}`,document.baseURI)),o.responseType="json",o.upload.onprogress=({loaded:r,total:i,lengthComputable:a})=>{Et.bar.hidden=!a,a&&(Et.bar.value=r/i)},o.onload=()=>t(o.response??{}),o.onerror=o.ontimeout=o.onabort=e,o.send(n)})}function Jo(){Et.node.hidden=!0}function Ih(){let n=c("span"),t=c("progress","",{max:1,value:0,hidden:!0}),e=v("","Close",Jo),o=c("div","playground-upload",n,t,e,{hidden:!0,role:"status"});return addEventListener("keydown",s=>s.key==="Escape"&&!e.hidden&&Jo()),document.body.append(o),{node:o,text:n,bar:t,close:e}}var Nh,Et,Vo,Pn=b(()=>{C();Nh=6e3,Et=Ih(),Vo=!1});var Si={};x(Si,{default:()=>_h});function Fh(n){return n.text??=[n.name,n.task,n.reads,n.architecture,n.origin,n.begun,n.problem&&"unusable"].join(" ").toLowerCase(),n.text}function qh(n,t){let[e,o]=[n??null,t??null].map(s=>s===null);return e||o?Number(e)-Number(o):typeof n=="number"?Number(t)-n:Uh.compare(String(n),String(t))}function Kh({problem:n,task:t,reads:e,architecture:o,exact:s,evidence:r,step:i,size:a,saved:l,origin:h,begun:d,shipped:m}){let p=typeof s=="number",u=p&&c("div","gauge");u&&u.style.setProperty("--share",String(s));let f=c("div","score",p&&c("strong","",H(s)," "),c("span","soft",p?"exact match":"not tested"));f.title=r;let g=[n&&"unusable",h&&`from ${h}`,d&&`goes on from ${d}`,m&&"included with the app"];return[n?"":c("div","",`${t}, ${e}`),c("div","soft",n||o),n?"":f,u||"",c("div","soft",[i,a,!m&&jh.format(1e3*l)].filter(Boolean).join(" · ")),c("div","badges wrap",...g.map(w=>w&&c("span","badge",w)))]}var Dh,Bh,Wh,Gh,jh,Uh,Xo,Yo,_h,Qo,Zo,Ei=b(()=>{P();wi();xt();Y();We();Ko();K();mt();Pn();R();C();Dh={"":"newest first",name:"name",task:"task",exact:"accuracy, best first",bytes:"size, largest first"},Bh=["select","move","open","added"],Wh=400,Gh=2,jh=new Intl.DateTimeFormat("en",{dateStyle:"medium",timeStyle:"short",hourCycle:"h23"}),Uh=new Intl.Collator("en",{numeric:!0}),Xo=new Set,Yo=0,_h=L([E,yi],n=>new Qo(n),(n,{data:t,setStateValue:e})=>{n.acts.adopt(t,o=>e("acts",o)),n.show(t)}),Qo=class{root;theme;data;cards=new Map;shown=[];acts=new D;typing=0;search=c("input","",{type:"search",placeholder:"Search",ariaLabel:"Search the library"});order=c("select","",...Object.entries(Dh).map(([t,e])=>new Option(e,t)));count=c("span","count",{role:"status"});grid=c("ul","grid",{ariaLabel:"Checkpoints"});nothing=c("p","nothing");file=Ft(".zip,application/zip",async([t])=>{let e=t?await je(t,this.data.most):null;e&&this.act("added",e)});choose=v("","Upload",()=>this.file.click(),{title:"Choose a checkpoint .zip, or drop it on this page."});bar=c("div","bar wrap large",this.search,c("label","","Sort by ",this.order),this.count,this.choose,this.file);box=c("div","box",this.bar,this.grid,this.nothing);sight=new IntersectionObserver(t=>{for(let{target:e,isIntersecting:o}of t)this.cards.get(e.dataset.name??"")?.look(o)},{rootMargin:"120px"});constructor(t){this.root=t,this.theme=N(t),this.search.addEventListener("input",()=>{clearTimeout(this.typing),this.typing=setTimeout(()=>{this.typing=0,this.act("search","",this.search.value)},Wh),this.draw()}),this.search.addEventListener("keydown",e=>e.stopPropagation()),this.order.addEventListener("change",()=>this.act("sort","",this.order.value)),this.grid.addEventListener("keydown",e=>this.move(e)),t.append(this.box)}close(){clearTimeout(this.typing),this.sight.disconnect(),this.box.remove()}show(t){let e=this.data?.selected??t.selected;this.data=t,this.theme=N(this.root),!this.typing&&!this.acts.pending.some(([,o])=>o==="search")&&(this.search.value=t.search),this.draw(),e!==t.selected&&this.cards.get(t.selected)?.node.scrollIntoView({block:"nearest"}),!this.typing&&!this.acts.pending.length&&this.settle(),qo(this.box)}act(t,e,o){this.acts.add(t,e,o),this.draw()}settle(){let t=this.shown[0]?.name??"";t!==this.data.selected&&!this.shown.some(({name:e})=>e===this.data.selected)&&this.act("move",t)}get expected(){let{rows:t,selected:e,sort:o}=this.data,s={rows:t,selected:e,sort:o,ticked:new Set(this.data.ticked)};for(let[,r,i,a]of this.acts.pending)r==="sort"&&(s.sort=a),r==="tick"&&s.ticked[a?"add":"delete"](i),r==="delete"&&(s.rows=s.rows.filter(l=>l.name!==i)),Bh.includes(r)&&(s.selected=i),r==="delete"&&(s.selected=a??i);return s}draw(){let{grid:t,search:e,nothing:o}=this,{rows:s,selected:r,sort:i,ticked:a}=this.expected;this.order.value=i;let l=e.value.toLowerCase().split(/\s+/),h=s.filter(u=>l.every(f=>Fh(u).includes(f)));i&&h.sort((u,f)=>qh(u[i],f[i])),this.shown=h;let d=h.map(u=>{let f=this.cards.get(u.name)??new Zo(this,u);return f.fill(u,u.name===r,a),f}),m=[...t.children].findIndex(u=>u.matches(":focus-within"));bt(t,d.map(({node:u})=>u)),m>=0&&!t.matches(":focus-within")&&d[Math.min(m,d.length-1)]?.pick.focus();let p=d.find(({row:u})=>u.name===r)??d[0];for(let u of this.cards.values())u.pick.tabIndex=u===p?0:-1;document.querySelector(dt("card-buttons"))?.toggleAttribute("inert",!h.some(({name:u})=>u===this.data.selected)),k(this.count,e.value.trim()?`${h.length} of ${s.length}`:`${s.length} checkpoint${s.length===1?"":"s"}`),o.hidden=h.length>0,k(o,s.length?`No checkpoint matches “${e.value}”.`:"No checkpoints yet. Train a model and save it, or drop a .zip on this page.")}move(t){let e=[...this.grid.children].flatMap(i=>this.cards.get(i.dataset.name??"")??[]),o=e.findIndex(({node:i})=>i.contains(t.target));if(o<0||t.altKey||t.ctrlKey||t.metaKey)return;let s=e.filter(({node:i})=>i.offsetTop===e[0].node.offsetTop).length,r={ArrowLeft:-1,ArrowRight:1,ArrowUp:-s,ArrowDown:s,Home:-o,End:e.length}[t.key];if(r!==void 0){U(t);let i=e[Math.min(e.length-1,Math.max(0,o+r))];for(let a of e)a.pick.tabIndex=a===i?0:-1;i.pick.focus()}else t.key==="Delete"&&!t.repeat&&!e[o].row.shipped&&this.act("delete",e[o].row.name,(e[o+1]??e[o-1])?.row.name)}};Zo=class{cards;row;stamp="";seen=!1;picture=null;ink="";box=c("input");pick;heads=c("div","heads");facts=c("div","facts");tick=c("label","tick",this.box,"Compare");node;constructor(t,e){let{name:o}=e;this.cards=t,this.row=e,Object.assign(this.box,{type:"checkbox",ariaLabel:`Compare ${o}`}),this.box.addEventListener("change",()=>t.act("tick",o,this.box.checked)),this.pick=v("pick",o,()=>t.act("select",o)),this.pick.addEventListener("dblclick",()=>t.act("open",o)),this.node=c("li","card",this.heads,this.pick,this.facts,this.tick),this.node.dataset.name=o,t.cards.set(o,this),t.sight.observe(this.node)}fill(t,e,o){let{box:s,node:r,pick:i,tick:a}=this;r.classList.toggle("selected",e),i.ariaPressed=String(e),s.checked=o.has(t.name),s.disabled=!!t.problem||!s.checked&&o.size>=2,a.title=t.problem?"This checkpoint can't be used.":s.disabled?"Compare two at a time.":"";let l=JSON.stringify(t);this.stamp!==l&&(Object.assign(this,{row:t,stamp:l,picture:null}),r.classList.toggle("unusable",!!t.problem),this.facts.replaceChildren(...Kh(t)),this.heads.replaceChildren(),this.look(this.seen)),this.picture&&this.ink!==this.cards.theme.ink&&this.paint()}async look(t){if(this.seen=t,!(!t||this.picture||this.row.problem)&&(Xo.add(this),!(Yo>=Gh))){Yo+=1;for(let e of Xo)Xo.delete(e),e.seen&&e.node.isConnected&&!e.picture&&await e.ask();Yo-=1}}async ask(){let{name:t,stamp:e}=this.row,o=()=>this.seen&&this.row.stamp===e,{tensor:s,problem:r,later:i}=await Xt(t,{heads:"few",stamp:e},o);this.row.stamp===e&&(i||(this.picture=s??r),s?this.paint():r&&this.heads.replaceChildren(c("span","why",r)))}paint(){let{picture:t,heads:e,cards:{theme:o}}=this;if(this.ink=o.ink,!t||typeof t=="string"||!t.heads)return;let{rows:s,columns:r,cells:i,heads:a}=t;e.replaceChildren(...Array.from({length:a.count},(h,d)=>{let m=t.values.subarray(d*i,(d+1)*i);return Zt(c("canvas"),Qt({...t,values:m,rows:s.count,columns:r.count},o))}));let l=`Attention of ${a.count}${a.size>a.count?` of ${a.size}`:""} head${a.size>1?"s":""}`;Object.assign(e,{role:"img",ariaLabel:l,title:`${l} on an example`})}}});var Ai={};x(Ai,{default:()=>Vh});function Vh({data:n,setTriggerValue:t}){Ue={...n,kept:e=>t("kept",e)}}function ts(n){return Ue&&[...n.dataTransfer?.types??[]].includes("Files")}function $i(n){return t=>{ts(t)&&(t.preventDefault(),In=Math.max(0,In+n),Mi.hidden=In===0)}}function Jh(){let n=c("div","zone",c("strong","","Drop to load"),c("span","","a checkpoint as a .zip")),t=c("div","playground-drop",n,{hidden:!0});return document.body.append(t),t}var Mi,Ue,In,Ri=b(()=>{Pn();C();Mi=Jh(),Ue=null,In=0;addEventListener("dragenter",$i(1));addEventListener("dragleave",$i(-1));addEventListener("dragover",n=>ts(n)&&n.preventDefault());addEventListener("drop",async n=>{if(!ts(n))return;n.preventDefault(),In=0,Mi.hidden=!0;let t=[...n.dataTransfer?.files??[]];if(!Ue||t.length!==1)return Pt("Drop only one file.",!0);let e=await je(t[0],Ue.most);e&&Ue.kept(e)})});var pt,xe=b(()=>{pt=`/* A heatmap, as \`tile.ts\` draws it, and those of the heads of a tensor, as \`group.ts\` does. */
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
  font-size: 0.75rem;
  font-weight: 600;
  height: calc(0.875rem + 4px);
  line-height: calc(0.875rem + 4px);
}
.scroller {
  max-width: 100%;
  overflow: auto;
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
`});var Hi,Oi=b(()=>{Hi=`/* Attention of one of two checkpoints that are compared. */
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
`});var Ii={};x(Ii,{MIN_CELL:()=>_e,MOVES:()=>Fe,boxOf:()=>ut,cellAt:()=>Dt,draw:()=>Z,mark:()=>$t,measure:()=>Mt,newTile:()=>qe,paintCells:()=>Ke,place:()=>It,reveal:()=>ee});function qe(n){let t=c("div","title cut"),e=c("canvas"),o=c("div","marks"),s=c("div","layer",e,o),r=c("div","space",s),i=c("div","scroller",r);i.tabIndex=-1;let a=c("div","tile",t,i,{tabIndex:0,role:"application",ariaRoleDescription:"heatmap"});return n.append(a),{node:a,title:t,scroller:i,space:r,layer:s,canvas:e,marks:o,lit:[],cells:c("canvas")}}function Mt(n,t){let{grid:e}=n,o=ct(n.canvas),s=(a,l)=>(o.font=l,Math.ceil(a.reduce((h,d)=>Math.max(h,o.measureText(d).width),0))),r=(a,l)=>Array.from({length:l},(h,d)=>tt(a,d)),i=e.kind==="tokens"&&e.rows===1;n.rowTicks=r(e.row,e.rows),n.columnTicks=r(i?{...e.column,names:null}:e.column,e.columns),n.cellTexts=e.kind!=="tokens"?null:i?r(e.column,e.columns):Array.from(e.values,String),n.textWidth=n.cellTexts?Math.min(120,s(n.cellTexts,t.text)+14):0,n.rowTickWidth=Math.min(Ni,s(n.rowTicks,t.small)),n.columnTickWidth=Math.min(Ni,s(n.columnTicks,t.small)),n.specialWidth=s(sd,t.small),n.axes=[e.row.axis&&`${e.row.axis} ↓`,e.column.axis&&`${e.column.axis} →`].filter(Boolean).join("   "),n.least=Math.max(s([n.axes],t.small),Math.min(e.strip?300:160,s([e.title],t.bold)+2)),n.line=t.line}function ut(n,t,e){let{grid:o,room:s=o}=n,r=n.rowTickWidth?n.rowTickWidth+8:0,i=Math.floor((e-r-2)/s.columns),a=Math.max(_e,Math.min(t,i)),l=Math.max(a,Math.min(t,Qh));o.strip?{width:a,height:l}=od:o.kind==="tokens"?(a=Math.max(Math.min(a,30),n.textWidth),l=30):s.rows===1&&s.columns===1?(a=88,l=36):(s.rows<=3&&(l=Math.max(l,18)),s.columns<=3&&(a=Math.max(a,18)));let d=!(n.columnTickWidth<=a-2)&&a>=n.line-3,m=n.columnTickWidth?d?n.columnTickWidth+5:n.line:0,p=(n.axes?n.line:0)+m+1,u=o.title?n.line+4:0;return{gutter:r,head:p,cellWidth:a,cellHeight:l,turned:d,width:r+o.columns*a+2,height:p+o.rows*l+1,tileWidth:Math.min(e,Math.max(r+s.columns*a+2,n.least)),tileHeight:u+p+s.rows*l+1}}function It(n,t,e,o){n.box=t,n.node.style.width=`${t.tileWidth}px`,n.node.style.minHeight=o?"":`${t.tileHeight}px`,Ht(n.space,t.width,t.height),Ht(n.layer,0,0),n.scroller.style.maxHeight=o?`${o}px`:"";let s=n.scroller.offsetWidth-n.scroller.clientWidth;s&&(n.node.style.width=`${Math.min(e,t.tileWidth+s)}px`),n.viewport={width:Math.min(t.width,n.scroller.clientWidth),height:Math.min(t.height,n.scroller.clientHeight)},Ht(n.layer,n.viewport.width,n.viewport.height),n.marks.style.left=`${t.gutter}px`,n.marks.style.top=`${t.head}px`,Ht(n.marks,Math.max(0,n.viewport.width-t.gutter),Math.max(0,n.viewport.height-t.head))}function Dt(n,t,e){let{grid:o,box:s,scroller:r,layer:i}=n,a=i.getBoundingClientRect();if(t>a.right||e>a.bottom)return null;let l=t-a.left-s.gutter,h=e-a.top-s.head,d=Math.floor((l+r.scrollLeft)/s.cellWidth),m=Math.floor((h+r.scrollTop)/s.cellHeight);return l>=0&&h>=0&&m<o.rows&&d<o.columns?{row:m,column:d}:null}function ee(n,t,e){let{box:o,viewport:s,scroller:r}=n,i=(h,d,m,p)=>Math.max(Math.min(h,d),d+m-p),{cellWidth:a,cellHeight:l}=o;r.scrollLeft=i(r.scrollLeft,e*a,a,s.width-o.gutter),r.scrollTop=i(r.scrollTop,t*l,l,s.height-o.head)}function $t(n,t){for(n.lit=t;n.marks.children.length<t.length;)n.marks.append(c("div"));for(;n.marks.children.length>t.length;)n.marks.lastChild?.remove();let{box:e,scroller:o}=n;t.forEach(({name:s,rows:r,columns:i},a)=>{let l=n.marks.children[a];l.className=`mark ${s}`;let h=i[0]*e.cellWidth-o.scrollLeft,d=r[0]*e.cellHeight-o.scrollTop;l.style.transform=`translate(${h}px, ${d}px)`,Ht(l,(i[1]-i[0])*e.cellWidth,(r[1]-r[0])*e.cellHeight)})}function Ke(n,t,e=null){n.made=e,n.image=Qt(n.grid,t,o=>Pi(n,o)),Zt(n.cells,n.image)}function Pi({made:n,grid:t},e){return!n||n(Math.floor(e/t.columns),e%t.columns)}function Z(n,t){let{grid:e,box:o,viewport:s,canvas:r,scroller:i}=n,{gutter:a,head:l,cellWidth:h,cellHeight:d}=o,m=devicePixelRatio,p=Math.round(s.width*m),u=Math.round(s.height*m);(r.width!==p||r.height!==u)&&(r.width=p,r.height=u,Ht(r,s.width,s.height));let f=ct(r);f.setTransform(m,0,0,m,0,0),f.clearRect(0,0,s.width,s.height);let g=a-i.scrollLeft,w=l-i.scrollTop,S={row:Math.floor((l-w)/d),column:Math.floor((a-g)/h)},A={row:Math.min(e.rows,Math.ceil((s.height-w)/d)),column:Math.min(e.columns,Math.ceil((s.width-g)/h))};f.save(),f.beginPath(),f.rect(a,l,s.width-a,s.height-l),f.clip(),f.imageSmoothingEnabled=!1,f.drawImage(n.cells,g,w,e.columns*h,e.rows*d),rd(f,n,t,g,w,S,A,m),f.beginPath();let y=(T,O,Q,gt)=>f.rect(Math.round(T),Math.round(O),Q,gt),M=Math.min(h,d)>=10;for(let T=S.row;T<=A.row;T++)(M||T===0||T===e.rows)&&y(g,w+T*d-(T?1:0),e.columns*h,1);for(let T=S.column;T<=A.column;T++)(M||T===0||T===e.columns)&&y(g+T*h-(T?1:0),w,1,e.rows*d);f.fillStyle=t.lines,f.fill(),f.restore(),id(f,n,t,g,w,S,A)}function rd(n,t,e,o,s,r,i,a){let{grid:l}=t,{cellWidth:h,cellHeight:d}=t.box,m=h>=ed*e.scale&&d>=nd*e.scale,p=t.cellTexts||l.kind!=="mask"&&m,u=[null,null,null,null];n.font=e.text,n.textAlign="center",n.textBaseline="middle";for(let f=r.row;f<i.row;f++)for(let g=r.column;g<i.column;g++){let w=f*l.columns+g;if(t.made&&!Pi(t,w))continue;let S=o+g*h,A=s+f*d,y=Go(l,w);if(y)(u[y]??=new Path2D).rect(S,A,h,d);else if(p){let M=t.cellTexts?t.cellTexts[w]:de(l,l.values[w]);n.fillStyle=Ge(t.image.data.subarray(4*w,4*w+3)),n.fillText(Ae(n,M,h-4),S+h/2,A+d/2+1)}}for(let f=1;f<=3;f++){let g=u[f];g&&(n.fillStyle=jo(n,e,f,a),n.fill(g))}}function zi(n,t){return[1,2,4,5,8,10,16,20,25,32,50,64].find(o=>o*t>=n)??Math.ceil(n/t)}function id(n,t,e,o,s,r,i){let{box:a,viewport:l,grid:h}=t,{gutter:d,head:m,cellWidth:p,cellHeight:u}=a;if(n.fillStyle=e.labels,n.font=e.small,n.textBaseline="middle",n.textAlign="left",n.fillText(t.axes,0,t.line/2),t.rowTickWidth){n.textAlign="right";let g=h.rows<=Zh&&u>=td,w=g?1:zi(t.line-2,u),S=y=>g&&u<t.line-2?y.replace(/[\d.]+px/,`${u}px`):y,A=y=>y%w===0||y===h.marked;for(let y=r.row;y<i.row;y++){let M=s+(y+.5)*u;!A(y)||M<m||!g&&h.marked!==null&&y!==h.marked&&Math.abs(y-h.marked)*u<t.line-2||(n.font=S(y===h.marked?e.strong:e.small),n.fillStyle=y===h.marked?e.ink:e.labels,n.fillText(Ae(n,t.rowTicks[y],t.rowTickWidth),d-7,M+.5))}n.font=e.small,n.fillStyle=e.labels}if(h.marked!==null&&h.marked>=r.row&&h.marked<i.row&&d){let g=Math.max(m,s+h.marked*u);n.fillStyle=e.accent,n.fillRect(d-5,g,4,s+(h.marked+1)*u-g),n.fillStyle=e.labels}if(!t.columnTickWidth)return;let f=a.turned?1:zi(t.columnTickWidth+2,p);for(let g=Math.ceil(r.column/f)*f;g<i.column;g+=f){let w=Ae(n,t.columnTicks[g],t.columnTickWidth),S=n.measureText(w).width/2,A=o+(g+.5)*p;A<d||!a.turned&&A+S>l.width+2||(2*S>p-2&&a.turned?(n.save(),n.translate(A,m-4),n.rotate(-Math.PI/2),n.textAlign="left",n.fillText(w,0,0),n.restore()):(n.textAlign="center",n.fillText(w,A,m-t.line/2)))}}var _e,Qh,Zh,td,ed,nd,od,Ni,sd,Fe,Bt=b(()=>{Y();C();_e=4,Qh=12,Zh=17,td=8,ed=34,nd=16,od={width:46,height:20},Ni=72,sd=["PAD","BOS","EOS","SEP"],Fe={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]}});var Bi={};x(Bi,{Group:()=>_,headsOf:()=>rt});function rt({heads:n}){return Array.from({length:n?.count??1},(t,e)=>(n?.first??0)+e)}function ad(n,t,e,o){let{rows:s,columns:r,cells:i,kind:a}=n,l=(t-(n.heads?.first??0))*i,h=(e&&n.slopes||n.values).subarray(l,l+i),d=n.hidden>1?l:0,m=o?`head ${t+1}`:"";return{tensor:n,head:t,slope:e,values:h,hidden:n.causes&&!e?n.causes.subarray(d,d+i):null,kind:e?"signed":a,whole:n.whole&&!e,title:e?`dL/d ${m||"number"}`:m||(n.slopes?"number":""),rows:s.count,columns:r.count,row:s,column:r,marked:n.marked,most:e?n.slope:n.scale,coloured:i>1}}function Di(n,t,e,o){let s=t?me(n,t,e):"";if(!t||!s)return[];let r=(a,l,h)=>{let d=l<0||l>=t.size;return v("",a,()=>o.go?.({[n]:l}),{ariaLabel:`${n} ${h}`,disabled:d})},i=o[n]??t.count;return[r("«",t.first-i,"back"),c("span","range",s),r("»",t.first+i,"onward")]}var _,ne=b(()=>{Bt();C();_=class{letter=c("span","letter",{ariaHidden:"true"});title=c("span","name");remark=c("span","note");folds=c("span","folds");flow=c("div","flow");lineEnd=c("div","line-end");head=c("div","heading wrap",this.letter,this.title,this.remark,this.folds);node=c("div","group",this.head,this.flow);tensor;pointer=null;note="";least=0;heading=0;placed="";tiles=[];grids=[];broken=0;constructor(t){t.append(this.node)}remove(){this.node.remove()}fill(t,e,o,s,r){this.tensor=t;let i=e.length>1,a=t.heads&&!i;for(this.note=t.heads&&a?`head ${e[0]+1} of ${t.heads.size}`:"",this.grids=[!1,!0].filter(l=>!l||t.slopes).flatMap(l=>e.map(h=>ad(t,h,l,i))),this.broken=i&&t.slopes?e.length:0;this.tiles.length<this.grids.length;)this.tiles.push(qe(this.flow));for(;this.tiles.length>this.grids.length;)this.tiles.pop()?.node.remove();this.lineEnd.remove(),this.broken&&this.tiles[this.broken].node.before(this.lineEnd),this.letter.hidden=!t.role,t.role&&([this.letter.textContent,this.letter.style.background]=t.role),this.title.textContent=t.title,this.remark.textContent=this.note,this.folds.replaceChildren(...a?[]:Di("heads",t.heads,1,o),...Di("columns",t.columns,0,o)),this.tiles.forEach((l,h)=>{let d=this.grids[h];l.grid=d,l.title.textContent=l.title.title=d.title,l.title.hidden=!d.title;let m=[t.title,this.note,d.title].filter(Boolean).join(", ");l.node.setAttribute("aria-label",`${Re(m,d)} Arrow keys move, Enter locks.`)}),this.paint(s,r)}listen(t,e){let o=s=>{this.pointer=s.type==="pointerleave"?null:s,e()};t.addEventListener("pointermove",o),t.addEventListener("pointerdown",o),t.addEventListener("pointerleave",s=>s.pointerType!=="touch"&&o(s))}words(t=": "){let e=this.pointer,o="";for(let s of this.tiles){let r=e&&s.box?Dt(s,e.clientX,e.clientY):null;if($t(s,r?[{name:"cell",rows:[r.row,r.row+1],columns:[r.column,r.column+1]}]:[]),!r)continue;let{grid:i}=s;o=`${[i.title,ht("row",i.row,r.row),ht("column",i.column,r.column)].filter(Boolean).join(", ")}${t}${wt(i,r.row*i.columns+r.column)}`}return o}paint(t,e){for(let o of this.tiles){let{head:s,slope:r}=o.grid;Ke(o,t,e&&!r?(i,a)=>e(s,i,a):null)}}}});var _i={};x(_i,{fit:()=>Je,fitHeads:()=>Xe,layOut:()=>rs});function Je(n,t,e,o){for(let r of n.tiles)Mt(r,o);let s=Gi;for(;s>_e&&Ve(is(n,s,t),t).height+n.head.offsetHeight>e;)s--;for(let r of n.tiles)It(r,ut(r,s,t),t,0),Z(r,o)}function Xe(n,t,{width:e,height:o,most:s,across:r=1/0}){let{tiles:i}=n;for(let m of i)Mt(m,t);let a=s,l=1;for(;i.length;a--){let{tileWidth:m,tileHeight:p}=ut(i[0],a,e);l=Math.min(r,i.length,Math.max(1,Math.floor((e+Dn)/(m+Dn))));let u=Math.ceil(i.length/l)*(p+Dn/2)-Dn/2;if(a<=_e||(o!==void 0?u<=o:l===Math.min(r,i.length)))break}let h=i.map(m=>ut(m,a,e)),d=JSON.stringify([e,l,h]);n.node.classList.add("heads-alone"),n.flow.style.setProperty("--across",String(l)),i.forEach((m,p)=>{d!==n.placed&&It(m,h[p],e,0),Z(m,t)}),n.placed=d}function rs({sides:n,arrow:t,inputs:e,outputs:o},s,r,i,a,l,h,d){for(let p of[...s,r]){for(let u of p.tiles)Mt(u,d),pd(u,l&&u.room||{},h);p.head.style.width=p.node.style.width="max-content",p.least=p.head.offsetWidth,p.heading=p.head.offsetHeight,p.head.style.width=""}let m=ud(s,[r],i,a);n.classList.toggle("beside",m.beside),t.style.flexBasis=t.style.height=`${ss}px`;for(let[p,u,f]of[[e,s,m.inputs],[o,[r],m.outputs]]){p.style.width=`${f}px`;for(let g of u){g.node.style.width=`${gd(g,m.cell,f)}px`;for(let w of g.tiles){let S=ut(w,m.cell,f);It(w,S,f,Ui(S)),Z(w,d)}}}}function pd(n,t,e){let{row:o,column:s,rows:r,columns:i}=n.grid,a=(l,h,d)=>Math.max(l,d??0,e[h.axis]?n.specialWidth:0);n.rowTickWidth=a(n.rowTickWidth,o,t.rowTickWidth),n.columnTickWidth=a(n.columnTickWidth,s,t.columnTickWidth),n.room={rows:Math.max(r,t.rows??0,e[o.axis]??0),columns:Math.max(i,t.columns??0,e[s.axis]??0),rowTickWidth:n.rowTickWidth,columnTickWidth:n.columnTickWidth}}function ud(n,t,e,o){let s=fd(),r=s?[innerHeight-(Wi+ld)*s]:o,i=s||1,a=(e<ns?ji:dd).map(y=>y*i),l=a.map(y=>[y,ke]);s&&l.unshift([innerHeight-Wi*s,es]),e>=ns&&l.unshift(...r.map(y=>[y,s?es:ke]));let h=[];for(let y=Math.round(Gi*i);y>=ke;y--)h.push(f(n,t,e,y),g(n,t,e,y));let d=(y,M)=>h.filter(T=>T!==null).filter(T=>T.height<=y&&T.cell>=M).sort((T,O)=>O.ease-T.ease||T.height-O.height)[0],m=y=>Math.min(es,y.ease),p=d(1/0,ke);return l.map(y=>d(...y)).find(y=>y&&m(y)>=cd*m(p))??d(a[1],ke)??f(n,t,e,ke);function f(y,M,T,O){let Q=S(y,O,T).height+S(M,O,T).height+(y.length?ss:0);return{cell:O,beside:!1,inputs:T,outputs:T,height:Q,ease:w(O,[y,T],[M,T])}}function g(y,M,T,O){if(!y.length||T<ns)return null;let Q=S(y,O,.45*T).width,gt=T-Q-ss,Mc=Math.max(S(y,O,Q).height,S(M,O,gt).height);return M.every($c=>A($c,O,gt).width<=gt)?{cell:O,beside:!0,inputs:Q,outputs:gt,height:Mc,ease:w(O,[y,Q],[M,gt])}:null}function w(y,...M){let T=M.flatMap(([O,Q])=>O.map(gt=>Math.min(hd*i,ut(gt.tiles[0],y,Q).cellWidth)));return T.reduce((O,Q)=>O+Q,0)/T.length}function S(y,M,T){return Ve(y.map(O=>A(O,M,T)),T)}function A(y,M,T){let O=Ve(is(y,M,T),T);return{width:Math.max(O.width,Math.min(T,y.least)),height:O.height+y.heading}}}function fd(){return Number(document.documentElement.style.getPropertyValue("--present-scale"))}function gd(n,t,e){let o=is(n,t,e),{width:s,height:r}=Ve(o,e),i=Math.max(...o.map(l=>l.width)),a=s;for(;a-Bn>=i&&Ve(o,a-Bn).height===r;)a-=Bn;return Math.min(e,Math.max(a,n.least))}function Ui(n){return n.height>Math.max(...ji)||n.height>os+240?os:0}function is(n,t,e){return n.tiles.map((o,s)=>{let r=ut(o,t,e),i=Ui(r)?r.height-os:0;return{width:r.tileWidth,height:r.tileHeight-i,starts:n.broken>0&&s===n.broken}})}function Ve(n,t){let[e,o,s,r]=[0,0,0,0];for(let i of n)e&&(i.starts||e+i.width>t)&&(r+=o+md,e=o=0),e+=i.width,s=Math.max(s,e),o=Math.max(o,i.height),e+=Bn;return{width:s,height:r+o}}var Gi,ke,Wi,ld,es,cd,hd,dd,ji,ns,os,Dn,Bn,md,ss,oe=b(()=>{Bt();Gi=44,ke=8,Wi=236,ld=90,es=14,cd=.75,hd=28,dd=[600,800],ji=[800,1200],ns=600,os=560,Dn=16,Bn=20,md=12,ss=36});var Fi={};x(Fi,{default:()=>wd});var bd,wd,as,qi=b(()=>{P();xe();Oi();We();Y();ne();oe();R();C();bd=30,wd=L([E,pt,Hi],n=>new as(n),(n,{data:t})=>{n.dress(),n.ask(t)}),as=class{root;theme;plot=c("div","plot");readout=c("div","readout"," ",{role:"status"});box=c("div","box",this.plot,this.readout);group=new _(this.plot);observer=new ResizeObserver(()=>this.layout());shown=null;asked=null;constructor(t){this.root=t,this.theme=N(t),t.append(this.box),this.group.listen(this.plot,()=>this.shown&&k(this.readout,this.group.words()||" ")),this.observer.observe(this.box)}close(){this.observer.disconnect(),this.asked="",this.box.remove()}dress(){this.theme=N(this.root),this.shown&&this.group.paint(this.theme,null),this.layout()}async ask({name:t,stamp:e,input:o}){let s=JSON.stringify([t,e,o]);if(s===this.asked)return;this.asked=s;let{tensor:r,problem:i,later:a}=await Xt(t,{stamp:e,input:o},()=>this.asked===s);this.asked===s&&(a&&(this.asked=null),this.plot.hidden=!r,this.shown=r,this.readout.textContent=r?" ":i||"Server not responding. Change the input to try again.",r&&(this.group.fill(r,rt(r),{},this.theme,null),this.layout()))}layout(){let t=this.box.clientWidth;!t||!this.shown||Xe(this.group,this.theme,{width:t,most:Math.round(bd*this.theme.scale),across:t<420?2:4})}}});var G,At=b(()=>{G=`/* In force before anything is drawn, so that nothing moves when it arrives. */
.stMain .stMainBlockContainer { max-width: initial; } /* from the first picture on, which comes before the setting of the page */
/* One scale: 1.5 rem a page's title, 1.15 what is looked at, 1 text, .85 captions. */
.stMainBlockContainer { padding-top: 3.9rem; padding-inline: clamp(.9rem, 4vw, 4rem); }
.stMainBlockContainer .stHeading h1 { padding: 0 0 .5rem; }
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
.small { font-size: .85rem; line-height: 1.45; }
.toks { display: flex; flex-wrap: wrap; gap: .2rem; align-items: center; min-height: 1.9rem; }
.tok { font: 600 .9rem/1.6rem var(--st-code-font, monospace); min-width: 1.6rem; padding: 0 .35rem;
  text-align: center; font-variant-numeric: tabular-nums;
  border-radius: .35rem; background: color-mix(in srgb, currentColor 9%, transparent); }
.tok.special { font-size: .72rem; opacity: .8; }
.tok.wrong { background: #b3261e; color: #fff; text-decoration: underline wavy; text-underline-offset: 2px; }
.tok.missing { background: none; outline: 1.5px dashed #d64a3a; outline-offset: -1.5px; }
.pairs { display: grid; grid-template-columns: max-content minmax(0, max-content) 1.2rem; gap: 0 .5rem;
  align-items: center; }
:is(.pairs, .example) .toks { flex-wrap: nowrap; gap: .12rem; min-height: 1.55rem; overflow: auto hidden; scrollbar-width: none; }
:is(.pairs, .example) .tok { font-size: .82rem; line-height: 1.35rem; min-width: 1.25rem; padding: 0 .1rem; flex: none; }
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
table.examples th { text-align: left; font-weight: 600; font-size: .85rem; opacity: .8; padding: .2rem .6rem .2rem 0; }
table.examples td { padding: .15rem .6rem .15rem 0; vertical-align: top;
  border-top: 1px solid color-mix(in srgb, currentColor 14%, transparent); }
table.examples tr:first-child td { border-top: 0; }
table.examples td:first-child { white-space: nowrap; }
.amount { display: inline-block; width: 7rem; height: .7rem; border-radius: .2rem; vertical-align: baseline;
  background: linear-gradient(90deg, transparent var(--low), var(--fill, #1f6fc4) var(--low) var(--high), transparent var(--high)),
  color-mix(in srgb, currentColor 9%, transparent); }
.amount.positive { --fill: #c8590b; } /* as in heatmaps: positive orange, negative blue */
@media (max-width: 640px) { .amount { width: 3.5rem; } }
.st-key-reading-lens .amount { width: 3rem; }
td:has(> .amount) { white-space: nowrap; } /* a bar and its number */
.st-key-scores > * > * { min-height: 2.9rem; }
@media (max-width: 640px) { .st-key-scores > * > * { min-height: 5.8rem; } }
.sides { display: flex; flex-wrap: wrap; gap: .75rem 4rem; }
.sides > * { flex: 1 1 20rem; min-width: 0; }
.shape { font: .9rem/1.4 var(--st-code-font, monospace); font-variant-numeric: tabular-nums; white-space: nowrap; }
.term { cursor: help; border-radius: .2rem; text-decoration: underline dotted currentColor 1px;
  text-decoration-color: color-mix(in srgb, currentColor 55%, transparent); text-underline-offset: .22em; }
.term:hover { text-decoration-color: currentColor; }
.term:focus-visible { outline: 2px solid currentColor; outline-offset: 1px; }
a:is([data-testid=stTopNavLink], [data-testid=stSidebarNavLink], [data-testid=stPageLink-NavLink]):focus-visible
  { outline: 2px solid currentColor; outline-offset: 1px; }
.playground-tip { position: fixed; z-index: 1000000; box-sizing: border-box; max-width: min(20rem, 100vw - 16px);
  padding: .5rem .7rem; border-radius: .5rem; font: .875rem/1.4 "Source Sans", system-ui, sans-serif;
  box-shadow: 0 4px 18px rgb(0 0 0 / .3); font-variant-numeric: tabular-nums; }
.playground-tip .title { font-weight: 650; }
.playground-tip .shape { font-size: .8rem; }
.playground-tip .action { font-size: .8rem; opacity: .8; margin-top: .2rem; }
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
.st-key-check-code textarea { font-family: var(--st-code-font, monospace); font-size: .875rem; }
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
/* A tab of the settings form keeps room for its fields, which come when it is opened. */
.st-key-form [role=tabpanel] { min-height: 27rem; }
/* Train: a button keeps its position whatever the label of Play, and the charts theirs whatever the line of progress has. */
.st-key-control { gap: .5rem .75rem !important; }
[class*=st-key-play-] button { min-width: 7.5rem; }
.st-key-control .stButtonGroup { display: flex; align-items: center; gap: .5rem; }
.st-key-control .stButtonGroup > label { margin: 0; min-height: 0; }
.stHorizontalBlock.st-key-under-way { min-height: 2.5rem; flex-wrap: nowrap; }
.st-key-under-way > :has(.st-key-slide-progress) { flex: 1 1 0; min-width: 0; }
.stHorizontalBlock.st-key-next { flex-flow: row-reverse nowrap; justify-content: flex-start; width: 30rem; min-height: 2.5rem; }
.st-key-next > * { flex: none !important; width: auto !important; }
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
  { content: "●" / "has an error"; margin-left: .3rem; font-size: .7rem; color: #d64a3a; }
/* Room for the picture before it is there: what stands below it stays. */
.st-key-architecture { align-self: center; max-width: 34rem; aspect-ratio: 400 / 650; max-height: max(88vh, 650px); }
.st-key-map .st-key-architecture { width: clamp(24rem, (100dvh - 27rem) * .615, 34rem); max-width: 100%; max-height: none; }
.st-key-reads { min-height: 4.25rem; }
/* A message below one field moves none of its neighbours. */
.st-key-reads > [data-testid=stLayoutWrapper] > .stHorizontalBlock { align-items: flex-start; }
.st-key-reads .stHeading h1 { padding-top: 1.5rem; }
.st-key-reads .stElementContainer:has(> .stHtml .message) { margin-top: -.6rem; }
.st-key-reads .message { padding: .2rem .6rem; font-size: .85rem; }
/* The answer keeps to one line, so that nothing below it moves when a model that learns gives a shorter one. */
.stHorizontalBlock.st-key-reading { row-gap: .3rem; min-height: 2.1rem; margin-block: -.3rem -.4rem; }
.st-key-reading > .stElementContainer:has(> .stHtml .toks), .st-key-reading .stElementContainer:has(> .stButtonGroup)
  { overflow-x: auto; scrollbar-width: none; }
.st-key-reading .stElementContainer:has(> .stButtonGroup) { flex: 1 1 14rem; min-width: 0; }
.st-key-reading .toks { flex-wrap: nowrap; }
.st-key-reading .stButtonGroup > div { flex-wrap: nowrap; width: max-content; }
.st-key-reading .stButtonGroup button { min-width: 2rem; padding-inline: .4rem; }
.st-key-play button { min-width: 5.9rem; min-height: 2.1rem; padding-block: .2rem; justify-content: flex-start; }
.st-key-play button > div { justify-content: flex-start; width: 100%; }
.st-key-reading .stSlider { height: 2.1rem; }
.st-key-map { position: sticky; top: 3.9rem; }
/* An operation takes the same room whatever it is, so the numbers stay where they are from step to step. */
.stHorizontalBlock.st-key-slide-operation { gap: .35rem .8rem; }
.st-key-slide-operation .stButton button { min-height: 2.1rem; padding-block: .2rem; }
/* Its row goes on in the fragment of the operation: that has blocks of its own, which only their content is to show. */
.st-key-slide-operation > [data-testid=stLayoutWrapper], .st-key-slide-operation > [data-testid=stLayoutWrapper] > *,
  .st-key-slide-operation :is(.stElementContainer, .stHtml):has(.operation) { display: contents; }
.st-key-slide-operation :is(.operation, .sentence, .finding) { flex: 1 0 100%; }
.st-key-slide-operation .stElementContainer:has(> .stMarkdown) { order: 1; flex: 1 1 20rem; width: auto; min-height: 4.4rem;
  display: grid; align-items: center; }
.st-key-slide-operation .stMarkdown > div > div { margin-bottom: 0; } /* Streamlit's -1rem would cut the last line */
.cited.soft { opacity: 1; } /* a link is too faint otherwise */
.stSlider [data-testid=stSliderThumbValue] p { color: light-dark(#4f46b8, #b3abff); }
.cited { order: 2; white-space: nowrap; margin-left: auto; }
.finding { order: 3; }
.st-key-tensor, .st-key-slide-operation .stElementContainer:has(.message),
  .st-key-slide-operation .stElementContainer:has(.message) ~ .stElementContainer { order: 4; }
.operation h2 { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .8rem; padding: 0; margin: 0;
  font-size: 1.15rem; font-weight: 650; }
.role { display: inline-grid; place-items: center; align-self: center; width: 1.3rem; height: 1.3rem;
  border-radius: 50%; font-size: .85rem; font-weight: 700; color: #fff; background: var(--role); }
.operation h2 .shape { font-weight: 400; }
.sentence { margin: 0; min-height: 1.4em; line-height: 1.4; }
.finding { height: 2.6em; overflow-y: auto; padding-left: .7rem; font-size: .9rem; line-height: 1.3;
  border-left: 3px solid color-mix(in srgb, currentColor 30%, transparent); }
.notice { min-height: 2.7em; line-height: 1.35; }
:is(.notice, .story).wrong { padding-left: .7rem; border-left: 3px solid #d64a3a; }
.st-key-statement { min-height: 14.7rem; }
.st-key-tensor { min-height: 13rem; }
/* Pitfalls: lines of code that are removed and added; on a phone the list of pitfalls scrolls. */
.difference { margin: 0; padding: .5rem 0; border-radius: .5rem; font: .85rem/1.5 var(--st-code-font, monospace);
  background: color-mix(in srgb, currentColor 5%, transparent); }
.difference :is(span, ins, del) { display: block; padding: 0 .8rem; white-space: pre-wrap; overflow-wrap: anywhere;
  text-decoration: none; }
.difference ins { background: color-mix(in srgb, #16866b 22%, transparent); }
.difference del { background: color-mix(in srgb, #d64a3a 20%, transparent); }
@media (max-width: 640px) {
  [data-testid=stLayoutWrapper]:has(> .st-key-pitfall-list) { max-height: 15rem; overflow-y: auto; flex: none; }
}
.sentence code { font-size: .85em; }
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
.st-key-random { padding-top: 2rem; } /* beside the field, not beside its label */
.st-key-reads .stButton button, .st-key-reads .stPopover button { min-height: 1.75rem; padding-block: 0; }
@media (max-width: 1200px) {
  .operation { flex-wrap: wrap; }
}
@media (max-width: 640px) {
  .stElementContainer.st-key-keys { position: absolute; visibility: hidden; } /* a phone has no keys; ? still opens them */
  .model-summary { display: block; }
  .stElementContainer:has(> .stHtml > .model-summary) { position: sticky; top: 3.75rem; z-index: 3; margin-bottom: 0;
    padding-block: .3rem; background: light-dark(#fff, #0f1219); }
  .st-key-slide-operation .katex { font-size: 1em; }
  /* The tensors come before the words about them, and the formula right below. */
  .st-key-slide-operation .stElementContainer:has(> .stMarkdown) { order: 5; min-height: 3.3rem; margin-top: -.6rem; }
  .st-key-slide-operation :is(.sentence, .finding, .cited) { order: 6; }
  .finding { height: auto; }
  .stMainBlockContainer { padding-top: 3.4rem; }
  .st-key-reads .stColumn { min-width: calc(50% - 1rem); flex: 1 1 calc(50% - 1rem); }
  .st-key-reads .stColumn:last-child { min-width: 100%; }
  .st-key-reads .stHorizontalBlock { row-gap: .4rem; }
  .st-key-reads .stColumn .stElementContainer:is(.st-key-input, .st-key-target), .st-key-reads .stColumn:first-child + .stColumn { min-height: 4.25rem; } /* with its label */
  .stHorizontalBlock.st-key-more { flex-wrap: nowrap; gap: .6rem; overflow-x: auto; scrollbar-width: none; }
  .st-key-more p { font-size: .85rem; }
  .st-key-more span:has(> [data-testid=stIconMaterial]):has(+ *) { display: none; } /* not the arrow at the end */
  [aria-label=Contributions] .examples td:first-child { white-space: normal; }
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
  .st-key-next :is(button, a) p { font-size: .9rem; }
  .st-key-next span:has(> [data-testid=stIconMaterial]) { display: none; }
  .st-key-head:has(.st-key-train-view) > .stElementContainer:has(.stHeading) { min-height: 2.7rem; }
  .stElementContainer.st-key-train-view { height: 2rem; }
  .st-key-control .stButtonGroup button { padding-inline: .4rem; }
  .st-key-control .stButtonGroup p { font-size: .8rem; }
}
@media (max-height: 800px) { .st-key-statement { min-height: 9.1rem; } }
@media (max-height: 820px) and (min-width: 641px) {
  .st-key-reads { margin-block: -.3rem -.4rem; }
  .stHorizontalBlock.st-key-slide-operation { row-gap: .1rem; }
  .st-key-slide-operation .stElementContainer:has(> .stMarkdown) { min-height: 3.3rem; }
  .st-key-slide-operation .katex { font-size: 1.05em; }
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
  margin: 0; padding: 0; border-radius: 0; font-size: .75rem; line-height: 1.2; text-align: center; }
.stApp .stSidebar [data-testid=stSidebarNavLink] p { font-size: clamp(.45rem, 2.45vw, .75rem); }
:root:has(.stSidebar) { --bar: 3.5rem; --corner: 4.3rem; }
:root:has(.stSidebar):not([data-present]) .stMain { height: auto;
  bottom: calc(var(--bar) + env(safe-area-inset-bottom)); }
/* Streamlit opens a popover below its button even if the button stands at the end of the window. */
:root:has(.stSidebar) [data-testid=stPopoverBody] { inset: auto .5rem calc(var(--bar) + .5rem + env(safe-area-inset-bottom)) !important;
  max-height: 70vh !important; transform: none !important; }

.playground-notice { position: fixed; z-index: 1000002; top: .8rem; left: 50%; translate: -50%; padding: .4rem 1rem;
  border-radius: 1rem; font: .9rem/1.4 "Source Sans", system-ui, sans-serif; color: #fff; background: #8a4b00;
  box-shadow: 0 2px 14px rgb(0 0 0 / .35); }
.playground-notice:empty { display: none; }
.stMain h1:focus { outline: none; }

/* The tools stand in the head of the page, where Streamlit's own words keep clear of them. */
.stHorizontalBlock.st-key-presenter { position: fixed; top: .85rem; right: 1rem; z-index: 999991; flex-wrap: nowrap;
  width: auto; }
.stHorizontalBlock.st-key-presenter > div { width: auto; }
.st-key-presenter > .st-key-keys { order: 1; }
.stAppHeader .stAppToolbar { padding-right: 24rem; }
/* A Share of the page's own knows more. */
.stApp:has(.stMainBlockContainer .st-key-share) { --tools-share: hidden; }
.qr { width: min(14rem, 100%); image-rendering: pixelated; border-radius: .3rem; }

/* The presenter view, see presenter.ts: the page is larger as a whole, and what is no part of the slide is gone. */
.playground-presenter { font-family: "Source Sans", system-ui, sans-serif; }
[data-present] { --toolbar: none; --tools-share: hidden; --expression: static; --expression-height: auto; --expression-least: 5.6rem; font-size: calc(16px * var(--present-scale, 1)); }
[data-present] .stApp { color: light-dark(#000, #fff); }
[data-present] :is(.stAppHeader, .stSidebar, .st-key-presenter, .stToast) { visibility: hidden; }
[data-present] .stMainBlockContainer { padding: 1.25rem clamp(1rem, 4vw, 4rem) 1.25rem; }
[data-slide=model] .st-key-architecture { max-width: none; max-height: none; height: calc(100dvh - 2.5rem); }
[data-present] .stMainBlockContainer :is(.soft, .small, .stMarkdown, label) { color: inherit; opacity: 1; }
[data-present] .finding { height: auto; min-height: 1.3em; }
[data-present] .st-key-slide-operation .stElementContainer:is(.st-key-crumbs, .st-key-gradient, :has(> .stButton)) { display: none; }
@media (min-width: 641px) {
  [data-present] .st-key-slide-operation .stElementContainer:has(> .stMarkdown) { min-height: 0; padding-bottom: 1.1rem; }
}
[data-present] label .stTooltipIcon { display: none; }
[data-slide] { --panel-height: calc(100dvh - 8rem); }
[data-slide=slow] .st-key-slow { --slow-height: calc(100dvh - 13rem); }
[data-parts~=slide-progress] { --panel-height: calc(100dvh - 17rem); }
@media (max-width: 640px) { [data-parts~=slide-progress] { --panel-height: calc(100dvh - 22rem); } }
.playground-presenter > div { position: fixed; z-index: 1000001; }
.playground-presenter .dots { bottom: .4rem; inset-inline: 0; text-align: center; font-size: .6rem; letter-spacing: .3em;
  opacity: .45; pointer-events: none; }
/* Below the slide: in the room between it and the edge. */
.playground-presenter .keys-message { left: 50%; translate: -50%; width: max-content; bottom: 0;
  max-width: 100vw; box-sizing: border-box; padding: 0 .9rem; border-radius: .5rem .5rem 0 0; font-size: .75rem; line-height: 1.2rem;
  text-align: center; background: #1b1f2e; color: #fff; }
.playground-presenter .keys-message:empty { display: none; }
.playground-presenter .announcement { width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.playground-presenter :is(.black, .code) { inset: 0; cursor: pointer; }
.playground-presenter .black { background: #000; }
.playground-presenter .code { background: #fff; color: #000; display: grid; place-content: center; justify-items: center;
  gap: .4rem; padding: 1rem; text-align: center; }
.playground-presenter [hidden] { display: none; }
.playground-presenter img { width: min(76vh, 92vw); aspect-ratio: 1; image-rendering: pixelated; }
.playground-presenter .copy { font: inherit; padding: .35rem 1rem; border: 1px solid #767676; border-radius: .5rem;
  background: #f4f5f9; color: #000; cursor: pointer; }
.playground-presenter .copy:focus-visible { outline: 2px solid #4f46b8; outline-offset: 1px; }
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
.model .kind { display: flex; flex-wrap: wrap; gap: .25rem; font-size: .8rem; }
.model .kind span, .model .badge { padding: .05rem .45rem; border-radius: .35rem; white-space: nowrap;
  background: color-mix(in srgb, currentColor 9%, transparent); }
.model .badge { margin-left: .5rem; font-size: .72rem; vertical-align: .1em; border: 1px solid currentColor;
  background: none; opacity: .75; }
.stHtml .model dl { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .3rem .5rem; margin: .15rem 0 0;
  padding: 0; font-variant-numeric: tabular-nums; }
.model dt { font-size: .75rem; opacity: .75; }
.model :is(dt, dd) { margin: 0; padding: 0; }
.model dd { font-weight: 600; font-size: .9rem; }
.model .problem { padding-left: .7rem; border-left: 3px solid #d64a3a; font-size: .9rem; line-height: 1.4; }
.model .where code { font-size: .85rem; }
.model details table { border-collapse: collapse; margin-top: .3rem; }
.model summary { cursor: pointer; width: max-content; }
.model td { padding: .05rem 1.2rem .05rem 0; font-variant-numeric: tabular-nums; }
.model.whole { min-height: 0; }
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
  /* One row that scrolls sideways, so that the cards stay in sight. */
  .st-key-card-actions { padding: .35rem .6rem; border-radius: .8rem .8rem 0 0; }
  [data-testid=stLayoutWrapper]:has(> .st-key-card-actions) { bottom: 0; }
  .stHorizontalBlock.st-key-card-buttons { gap: .4rem; flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none;
    padding-right: 1.4rem; mask-image: linear-gradient(to right, #000 calc(100% - 1.4rem), transparent); }
  .st-key-card-buttons > * { flex: none !important; width: auto; }
  .st-key-card-buttons .chosen { display: block; max-width: 8rem; overflow: hidden; white-space: nowrap; text-overflow: ellipsis;
    font-size: .88rem; }
  .st-key-card-buttons button { padding: .2rem .55rem; min-height: 2.3rem; white-space: nowrap; }
  .st-key-card-buttons button p { font-size: .88rem; }
  .st-key-card-buttons :is([data-testid=stIconMaterial], span:has(> [data-testid=stIconMaterial])) { display: none; }
  .stHorizontalBlock.st-key-head { gap: .5rem !important; }
  .st-key-head > :is(.st-key-learn-view, .st-key-train-view, .st-key-experiment-view) { order: 1; flex-basis: 100% !important; }
  .st-key-head > :is(.st-key-learn-view, .st-key-experiment-view) { min-height: 4.3rem; } /* two rows, also before they are drawn */
  :is(.st-key-head, .st-key-heads-kind) .stButtonGroup > div { flex-wrap: wrap; row-gap: .3rem; }
  .stVerticalBlock.st-key-dock { max-height: 34dvh; overflow-y: auto; gap: .4rem; font-size: .9rem; }
  .st-key-dock > [data-testid=stLayoutWrapper] > .stVerticalBlock { padding: .4rem .6rem; }
}
.lesson-row h2 { font-size: 1.05rem; padding: 0; margin: 0; }
.lesson-title h2 { font-size: 1.6rem; padding: 0 0 .2rem; margin: 0; }
.lesson-part { font-size: .8rem; letter-spacing: .06em; text-transform: uppercase; padding: .2rem 0 0; margin: 0; opacity: .75; }
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
`});var Vi,Ki=b(()=>{Vi=`/* One row for each sublayer, its heads as buttons. */
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
`});var Ji={};x(Ji,{default:()=>kd});var kd,ls,Xi=b(()=>{At();P();Ki();xt();R();C();kd=L([G,E,Vi],n=>new ls(n),(n,{data:t,setStateValue:e})=>{n.acts.adopt(t,o=>e("acts",o)),n.show(t)}),ls=class{box;acts=new D;buttons=new Map;structure="";adds="";constructor(t){this.box=t.querySelector(".switches")}close(){this.acts.release(),this.box.replaceChildren(),this.structure=""}show({rows:t,adds:e}){this.adds=e;let o=JSON.stringify(t.map(({label:r,parts:i})=>[r,i.map(({site:a})=>a)]));o!==this.structure&&this.build(t),this.structure=o;let s=new Set(this.acts.pending.map(([,,r])=>r));for(let r of t.flatMap(({parts:i})=>i))s.has(r.site)||this.mark(r.site,r.mark)}build(t){this.buttons.clear();let e=t.map(({label:s,parts:r})=>{let i=c("th","small",s,{scope:"row"}),a=r.map(l=>{let h={ariaLabel:l.words,title:l.words},d=v("part",c("span","",l.label),()=>this.press(l.site),h);return this.buttons.set(l.site,d),d});return c("tr","",i,c("td","",...a))}),o=c("table","",c("caption","unseen","Parts of the model"),c("tbody","",...e));this.box.replaceChildren(o)}press(t){let e=this.buttons.get(t)?.getAttribute("aria-pressed")==="true";this.mark(t,e?"":this.adds),this.acts.add("switch",t)}mark(t,e){let o=this.buttons.get(t);o.ariaPressed=`${e!==""}`,o.setAttribute("aria-description",e),o.dataset.mark=e}}});var Qi,Yi=b(()=>{Qi=`/* Kept prefixes are filled, dropped ones dashed, and the path to the answer is thick. */
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
  font-size: 0.8rem;
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
`});var ta={};x(ta,{default:()=>Cd});function ve(n,t){return[Zi+n*Td,hs+t*Ld]}function Sd(n,t,{parent:e,kind:o}){let[s,r]=n?ve(n-1,e):[Zi-Wn-16,hs],[i,a]=ve(n,t),l=s+Wn,[h,d,m]=[r+Te/2,a+Te/2,(l+i)/2];return z("path",{class:`line ${o}`,d:`M${l} ${h}C${m} ${h} ${m} ${d} ${i} ${d}`})}function Ed(n,t,{kind:e,label:o,sum:s,description:r}){let[i,a]=ve(n,t),l=a+Te/2+4;return z("g",{class:`leaf ${e}`},z("title",{},r),z("rect",{x:i,y:a,width:Wn,height:Te,rx:6}),z("text",{class:"token",x:i+7,y:l},F(o)),z("text",{class:"sum",x:i+Wn-6,y:l},s))}var Td,Ld,Wn,Te,Zi,hs,Cd,cs,ea=b(()=>{P();Yi();R();C();Td=112,Ld=32,Wn=92,Te=26,Zi=56,hs=26,Cd=L([E,Qi],n=>new cs(n),(n,{data:t})=>n.show(t));cs=class{box;constructor(t){this.box=t.querySelector(".beam-tree"),Object.assign(this.box,{tabIndex:0,role:"region",ariaLabel:"Tree of beam search"})}close(){this.box.replaceChildren()}show({columns:t,description:e}){let o=Math.max(...t.map(({nodes:h,more:d})=>h.length+(d?1:0))),[s,r]=ve(t.length,o),i=z("svg",{role:"img","aria-label":e,width:s,height:r,viewBox:`0 0 ${s} ${r}`}),a=z("g",{});i.append(a,z("text",{class:"head",x:4,y:hs+Te/2+4},"start")),t.forEach(({nodes:h,more:d},m)=>{i.append(z("text",{class:"head",x:ve(m,0)[0],y:16},`Round ${m+1}`)),h.forEach((f,g)=>{a.append(Sd(m,g,f)),i.append(Ed(m,g,f))});let[p,u]=ve(m,h.length);d&&i.append(z("text",{class:"head",x:p,y:u+Te/2+4},`${d} more dropped`))});let l=this.box.scrollLeft;this.box.replaceChildren(c("div","inside",i)),this.box.scrollLeft=l}}});var oa,na=b(()=>{oa=`/* An answer, and below it a row for each token of the vocabulary. */
.generation {
  container-type: inline-size;
  display: flex;
  flex-direction: column;
  gap: 0.5rem;
}
.answer {
  gap: 0.3rem 0.7rem;
  min-height: 3rem;
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
`});var ra={};x(ra,{default:()=>Rd});var $d,sa,Ad,Ye,Rd,ds,ia=b(()=>{At();P();na();xt();K();R();C();$d=900,sa="Play tokens",Ad={ArrowRight:"next",ArrowLeft:"undo",p:"play",End:"finish",Home:"restart"},Ye=null;document.addEventListener("keydown",n=>{if(!Ye?.root.isConnected||!q(n))return;let t=Ad[qt(n)];t&&(n.preventDefault(),(!n.repeat||t==="next"||t==="undo")&&Ye.act(t))});Rd=L([G,E,oa],n=>new ds(n),(n,{data:t,setStateValue:e})=>{Ye=n,n.show(t),n.acts.adopt(t,o=>e("acts",o))}),ds=class{root;undo=this.tool("Undo","undo","ArrowLeft");next=this.tool("Next token","next","ArrowRight");play=this.tool(sa,"play","P");finish=this.tool("Finish","finish","End");restart=this.tool("Start over","restart","Home");tools=c("div","tools wrap",this.undo,this.next,this.play,this.finish,this.restart);answer=c("ol","answer wrap",{ariaLabel:"Answer so far"});announcement=c("div","announcement",{role:"status"});heads=c("div","bar heads small soft",{ariaHidden:"true"});bars=c("ol","bars",{ariaLabel:"Probabilities of the token"});more=c("div","small soft");cost=c("div","small soft");parts=[this.answer,this.tools,this.announcement,this.heads,this.bars,this.more,this.cost];acts=new D;data;timer=0;playing=!1;constructor(t){this.root=t,t.querySelector(".generation")?.append(...this.parts)}tool(t,e,o){return v("small-button",t,()=>this.act(e),{ariaKeyShortcuts:o})}close(){this.pause(),this.acts.release();for(let t of this.parts)t.remove();Ye===this&&(Ye=null)}act(t){if(t==="play")return this.playing?this.pause():this.begin();this.pause(),!((t==="next"||t==="finish")&&this.data.complete)&&((t==="undo"||t==="restart")&&!this.data.answer.length||(t==="restart"?this.acts.add("back","",0):this.acts.add(t)))}begin(){this.data.complete&&this.acts.add("back","",0),this.playing=!0,k(this.play,"Pause tokens"),this.tick()}pause(){clearTimeout(this.timer),this.playing=!1,k(this.play,sa)}tick(){clearTimeout(this.timer),this.timer=setTimeout(()=>{if(!this.root.isConnected)return this.pause();if(this.acts.pending.length)return this.tick();if(this.data.complete)return this.pause();this.acts.add("next"),this.tick()},$d)}show(t){this.data=t;let{answer:e,complete:o,ended:s,position:r,sampled:i}=t;this.undo.disabled=this.restart.disabled=!e.length,this.next.disabled=this.finish.disabled=o;let a=Math.max(...t.bars.map(({probability:w,drawn:S})=>Math.max(w,i?S:0))),l=e.map((w,S)=>this.token(w,S));bt(this.answer,l.length?l:[c("li","soft","No tokens yet")]);let h=t.bars.find(({id:w})=>w===t.chosen),d=i?`sampling probability ${H(h?.drawn??0)}`:H(h?.probability??0),m=`token ${r+1}, “${F(h?.label??"")}” (${d})`;k(this.announcement,s?`The answer is complete: ${m} ends it.`:o?`The answer has the largest length. The last is ${m}.`:`Next: ${m}. Click another token to use it instead.`);let p=["token","probability","",...i?["sampling probability",""]:[]].map(w=>c("span","",w));this.heads.replaceChildren(...p),this.heads.classList.toggle("sampled",i),this.bars.replaceChildren(...t.bars.map(w=>this.bar(w,a||1))),k(this.more,t.more?`${t.more} more tokens have ${H(t.rest)} together.`:"");let[u=0,f=0]=t.multiplications,g=f>u?`, ${(f/u).toFixed(1)} times as many`:"";k(this.cost,`To predict all tokens up to the next one, decoder and output layer need ${u.toLocaleString("en")} multiplications with a KV cache, which stores keys and values. Without it they need ${f.toLocaleString("en")}${g}.`)}token({label:t,forced:e,probability:o},s){let r=c("span","",F(t)),i=`${F(t)}, token ${s+1}, ${H(o)}${e?", forced":""}`,a=v(`tok${e?" forced":""}`,r,()=>{this.pause(),this.acts.add("back","",s)},{ariaLabel:`${i}. Remove it and all later tokens`,title:`${i}. Click to remove it and all later tokens.`});return c("li","",a,c("span","small soft",e?"forced":H(o)))}bar({id:t,label:e,probability:o,drawn:s,cut:r},i){let{chosen:a,position:l,sampled:h}=this.data,d=(g,w)=>{let S=c("span",`track ${w}`);return S.style.setProperty("--high",`${100*g/i}%`),S},m=g=>c("span","unseen",g),p=[m("Force "),c("span","tok",F(e)),d(o,r&&"cut")];p.push(m(": probability "),c("span","",H(o))),h&&(p.push(d(s,"drawn"),m(r?", ":", sampling probability ")),p.push(c("span",r?"soft":"",r?`cut by ${r}`:H(s))));let u=c("span",`bar${h?" sampled":""}`,...p),f=v("choice",u,()=>{this.pause(),this.acts.add("force","",[l,t])},{ariaCurrent:t===a?"true":null});return c("li","",f)}}});var la,aa=b(()=>{la=`.zone {
  align-items: center;
  border: 1px dashed transparent;
  border-radius: 0.5rem;
  gap: 0.3rem 0.75rem;
}
.zone.over {
  border-color: var(--st-primary-color);
}
`});var ca={};x(ca,{default:()=>Hd});function Nd(n){let t=new TextDecoder("latin1").decode(n.slice(0,1e3)).split(/\r\n?|\n/,2);for(let e of t){let o=/^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(e);if(o)return o[1].toLowerCase().replaceAll("_","-").replace(/^(iso-)?latin-1$/,"latin1")}return"utf-8"}var Hd,ms,ha=b(()=>{P();aa();R();C();Hd=L([E,la],n=>new ms(n),(n,{data:t,setTriggerValue:e})=>{n.most=t.most,n.tell=o=>e("chosen",o)}),ms=class{zone;most=0;tell;ended=new AbortController;constructor(t){let e=Ft(".py",s=>this.take(s)),o=v("","Choose a .py file",()=>e.click());this.zone=c("div","zone wrap large",o,e,c("span","soft","or drop it on this page")),t.querySelector(".check-file")?.replaceChildren(this.zone);for(let s of["dragenter","dragover","dragleave","drop"]){let r={capture:!0,signal:this.ended.signal};addEventListener(s,i=>this.drag(i),r)}}drag(t){let e=[...t.dataTransfer?.items??[]].filter(({kind:o})=>o==="file");e.length!==1||/zip/.test(e[0].type)||(t.preventDefault(),t.stopImmediatePropagation(),this.zone.classList.toggle("over",t.type==="dragenter"||t.type==="dragover"),t.type==="drop"&&this.take([...t.dataTransfer?.files??[]]))}async take([t]){if(t){if(!/\.py$/i.test(t.name))return this.tell({problem:"other"});if(t.size>this.most)return this.tell({problem:"large"});try{let e=await t.arrayBuffer();this.tell({text:new TextDecoder(Nd(e),{fatal:!0}).decode(e)})}catch{this.tell({problem:"binary"})}}}close(){this.ended.abort()}}});var ma,da=b(()=>{ma=`/* Formula, statement and tensor side by side; below each other where it is narrow. */
.formula-rows {
  container-type: inline-size;
}
.row {
  border-top: 1px solid var(--st-border-color);
  display: grid;
  gap: 0.5rem 1.25rem;
  grid-template-columns: minmax(0, 5fr) minmax(0, 6fr) minmax(0, 3fr);
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
`});var Gn,ps=b(()=>{Gn=`.picture {
  border: 1px solid var(--st-border-color);
  image-rendering: pixelated;
  margin-top: 0.3rem;
}
`});var pa={};x(pa,{picture:()=>Le});function Le(n,t,{head:e=0,long:o=Id,most:s=0,label:r=""}={}){let{rows:{count:i},columns:{count:a},cells:l,values:h,kind:d}=n,m=Array.from(h).reduce((w,S)=>Number.isFinite(S)?Math.max(w,Math.abs(S)):w,0),p={kind:d==="tokens"?"signed":d,coloured:!0,most:s||m||1},u=h.subarray(e*l,(e+1)*l),f=Zt(c("canvas","picture"),Qt({...p,rows:i,columns:a,values:u},t)),g=Math.min(Dd,o/Math.max(i,a));return f.style.width=`${a*g}px`,f.style.height=`${Math.max(3,i*g)}px`,Object.assign(f,r?{role:"img",ariaLabel:r}:{ariaHidden:"true"})}var Id,Dd,jn=b(()=>{Y();C();Id=180,Dd=10});var ua={};x(ua,{default:()=>Bd,head:()=>Wd,symbols:()=>Gd});function Wd({data:n,parentElement:t}){Nt(t,fs);let{tensors:e,names:o}=W(n),s=N(t);t.querySelector(".one-head").replaceChildren(...e.map((i,a)=>c("figure","",c("figcaption","",Qe("name",o[a]),` (${i.rows.size}, ${i.columns.size})`),Le(i,s))))}function Gd({data:n,parentElement:t}){Nt(t,fs),t.querySelector(".symbols").replaceChildren(Qe("",n.table))}function Qe(n,t){let e=c("div",n);return e.innerHTML=t,e}var fs,Bd,us,fa=b(()=>{At();P();da();ps();Y();St();R();J();C();jn();fs=[G,E,Gn,ma],Bd=L(fs,n=>new us(n),(n,{data:t,setTriggerValue:e})=>{n.open=o=>e("open",o),n.show(W(t))});us=class{root;list;sizes=new ResizeObserver(()=>this.reach());open=()=>{};constructor(t){this.root=t,this.list=t.querySelector(".formula-rows"),this.sizes.observe(this.list)}reach(){this.list.querySelectorAll(".formula").forEach((t,e)=>{let o=t.scrollWidth>t.clientWidth,s={tabindex:"0",role:"region","aria-label":`Formula ${e+1}`};for(let[r,i]of Object.entries(s))o?t.setAttribute(r,i):t.removeAttribute(r)})}close(){this.sizes.disconnect(),this.list.replaceChildren()}show({tensors:t,rows:e}){let o=N(this.root);this.list.replaceChildren(...e.map((s,r)=>{let i=v("open",s.title,()=>this.open(s.name),{title:"Open in Step through"}),a=s.repeated>1?c("span","soft",`, ${s.repeated} times`):null,l=c("div","where small soft",`${s.owner} · ${s.file}`);return c("article","row",c("div","what",c("h2","",i,a),Qe("formula",s.formula),c("div","small soft",s.source)),c("div","code",Qe("statement",s.statement),l),c("div","tensor",Qe("size small",s.shape),Le(t[r],o)))})),this.reach()}}});var Ce,Un=b(()=>{Ce=`.matrix {
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
`});var ba,ga=b(()=>{ba=`input {
  appearance: textfield;
  min-height: 0;
  padding: 0.15rem 0.25rem;
  width: clamp(2.9rem, 13vw, 3.3rem);
}
td {
  padding: 0 !important;
}
`});var wa={};x(wa,{matrix:()=>se});function se(n,t,{rows:e,columns:o,caption:s="",corner:r=""}){let i=(d,m)=>c("th","small",d,{scope:m}),a=o&&c("tr","",e&&c(r?"th":"td","small",r),...o.map(d=>i(d,"col"))),l=t.map((d,m)=>c("tr","",e&&i(e[m],"row"),...d)),h=c("table","",s&&c("caption","small",s),a&&c("thead","",a),c("tbody","",...l));return le("matrix",n,h)}var Ze=b(()=>{C()});var ya={};x(ya,{default:()=>_d});var _d,gs,xa=b(()=>{At();P();Un();ga();R();C();Ze();_d=L([G,E,Ce,ba],n=>new gs(n),(n,{data:t,setStateValue:e})=>{n.tell=o=>e("cells",o),n.show(t)}),gs=class{box;shown="";fields=[];tell=()=>{};constructor(t){this.box=t.querySelector(".grid")}close(){this.box.replaceChildren()}show(t){let e=JSON.stringify(t);if(this.shown===e)return;this.shown=e,this.fields=t.values.map((s,r)=>s.map((i,a)=>this.field(t,i,r,a)));let o=this.fields.map(s=>s.map(r=>c("td","",r)));this.box.replaceChildren(se(t.label,o,{rows:t.rows,caption:t.label}))}field({label:t,rows:e,bound:o},s,r,i){let a=`${t}, ${e[r]}, number ${i+1}`,l={step:"0.1",min:`${-o}`,max:`${o}`,value:`${Number(s.toFixed(4))}`},h=c("input","",{type:"number",...l,ariaLabel:a});return h.addEventListener("change",()=>{let d=Math.min(Math.max(Number(h.value)||0,-o),o);h.value=`${d}`,this.tell(this.fields.map(m=>m.map(p=>Number(p.value))))}),h}}});var za={};x(za,{Fields:()=>Gt,Live:()=>it,listen:()=>Fn});function Fn(n,t){let e=Wt.get(n);e||Wt.set(n,e={version:0,listeners:new Set,whole:null});let{listeners:o,whole:s}=e;return s?t(s):[e.version,ws]=[0,!0],o.add(t),_n(ka),()=>{o.delete(t),_n(ka)}}function _n(n){clearTimeout(ft.open),ft.open=setTimeout(Ea,n)}function Ea(){for(let[t,{listeners:e}]of Wt)e.size||Wt.delete(t);let n=[...Wt.keys()].sort().join(`
`);tn&&n===bs&&!ws||(qn(),[bs,ws]=[n,!1],!(!Wt.size||document.hidden&&ys)&&(tn=performance.now()<ks?em():Zd()))}function qn(){tn?.(),tn=null,clearTimeout(ft.watch)}function vs(){qn(),Ea()}function Ma(){qn(),_n(Oa())}function Zd(){let n=new EventSource(Ha());return Ra(La,()=>Aa("")),n.onmessage=({data:t})=>{Ta(),Na(t)},n.addEventListener("beat",Ta),n.onerror=()=>{if(n.readyState!==EventSource.CLOSED)return Ma();clearTimeout(ft.watch),tn=tm()},()=>n.close()}function tm(){let n=new AbortController;return $a("",n.signal).then(t=>{n.signal.aborted||(t?.status===429?Aa(t.text):Ma())}),()=>n.abort()}function em(){let n=new AbortController,t=0,e=async()=>{let o=await $a("&once=1",n.signal);if(n.signal.aborted)return;let s=o?.status===200;if(s){xs=0;for(let r of o.text.split(`
`))r.startsWith("data: ")&&Na(r.slice(6))}if(performance.now()>=ks)return vs();t=setTimeout(e,s?Sa?Kd:qd:Oa())};return e(),()=>{n.abort(),clearTimeout(t)}}async function $a(n,t){try{let e=await fetch(Ha(n),{signal:AbortSignal.any([t,AbortSignal.timeout(La)])});return{status:e.status,text:await e.text()}}catch{return null}}function Aa(n){ks=performance.now()+Jd*2**Math.min(Ca++,Xd),Sa=!!n,Ts(n),vs()}function Ta(){xs=Ca=0,Ts(""),Ra(Fd,vs)}function Ts(n){clearTimeout(ft.notice),k(Qd,n),n&&(ft.notice=setTimeout(Ts,Vd,""))}function Ra(n,t){clearTimeout(ft.watch),ft.watch=setTimeout(t,n)}function Oa(){return va[Math.min(xs++,va.length-1)]*(1+Math.random()/2)}function Ha(n=""){let t=new URLSearchParams([...Wt].map(([e,{version:o}])=>["c",`${e}@${o}`]));return new URL(`./live?${t}${n}`,document.baseURI)}function Na(n){let t=JSON.parse(n),e=Wt.get(t.channel);if(e){if(t.version?e.version=t.version:t.gone&&([e.version,e.whole]=[1,null]),t.fields){let o=t.whole?{}:e.whole?.fields;e.whole={...t,whole:!0,fields:{...o,...t.fields}}}for(let o of[...e.listeners])try{o(t)}catch(s){console.error(s)}}}var ka,Fd,La,qd,Kd,Vd,Jd,Xd,Yd,va,Wt,tn,bs,ws,xs,Ca,ks,Sa,ft,ys,Qd,Gt,it,Rt=b(()=>{C();ka=30,Fd=12e4,La=5e3,qd=1e3,Kd=3e3,Vd=8e3,Jd=6e4,Xd=6,Yd=5e3,va=[500,1e3,2e3,4e3,8e3],Wt=new Map,tn=null,bs="",ws=!1,xs=0,Ca=0,ks=0,Sa=!1,ft={open:0,watch:0,hide:0,notice:0},ys=!1,Qd=he();document.addEventListener("visibilitychange",()=>{if(clearTimeout(ft.hide),ys=!1,!document.hidden)return _n(0);ft.hide=setTimeout(()=>{ys=!0,qn(),bs=""},Yd)});Gt=class{close;values={};at=0;gone=!1;constructor(t,e){let o=!1;this.close=Fn(t,s=>{this.gone=!!s.gone,s.gone||(this.values=s.whole?s.fields:{...this.values,...s.fields},this.at=s.at),o&&e()}),o=!0}},it=class{changed;channel="";at=0;now={};fields=null;constructor(t){this.changed=t}show({channel:t,at:e,now:o}){t!==this.channel&&(this.close(),this.fields=t?new Gt(t,this.changed):null),Object.assign(this,{channel:t,at:e,now:o})}get isNewer(){return this.fields!==null&&this.fields.at>this.at}get values(){return this.fields&&this.isNewer?this.fields.values:this.now}close(){this.fields?.close()}}});var Ia={};x(Ia,{Store:()=>en,after:()=>jt,nearest:()=>at,smoothed:()=>Ss,storeOf:()=>Ls,storeOfCheckpoint:()=>Cs});function Ls(n,t){let e=Pa.get(n);return e||Pa.set(n,e=new en),e.users.size||(e.unlisten=Fn(`curves/${n}`,o=>e.take(o))),e.users.add(t),e}function Cs(n,t){let e=new en;return e.users.add(t),e.fetch(new URL(`./library/${encodeURIComponent(n)}/curves`,document.baseURI)),e}function jt(n,t){let e=0,o=n.length;for(;e<o;){let s=e+o>>1;n[s]<=t?e=s+1:o=s}return e}function at(n,t){if(t===null||!n.length)return n.length-1;let e=jt(n,t);return e===0?0:e===n.length?e-1:n[e]-t<t-n[e-1]?e:e-1}function Ss({steps:n,values:t},e){if(!e)return t;let o=0,s=0,r=n[0];return t.map((i,a)=>{let l=Math.exp((r-n[a])/e);return r=n[a],o=o*l+i,s=s*l+1,o/s})}var nm,om,sm,Pa,en,Se=b(()=>{Jt();Rt();nm=1e4,om="This run no longer exists.",sm="Server not responding. Retrying ...",Pa=new Map;en=class{version=0;tables={};more={};problem="";users=new Set;unlisten=null;#t=new Map;leave(t){this.users.delete(t),this.users.size||this.unlisten?.()}async fetch(t){try{let e=await Ct(t,nm);if(e.ok)return this.take(await e.json());this.problem=await e.text()}catch{this.problem=sm}for(let e of this.users)e()}take({channel:t,version:e,gone:o,tables:s={},...r}){this.problem=o?om:"",this.version=e;for(let[i,{all:a,gone:l,rows:h}]of Object.entries(s)){let d=a?[]:this.tables[i]??[],m=new Set(l);this.tables[i]=[...m.size?d.filter((p,u)=>!m.has(u)):d,...h]}this.more={...this.more,...r},this.#t.clear();for(let i of this.users)i()}rows(t,e){let o=this.tables[t]??[],s=e??1/0;return(o.at(-1)?.[0]??0)<=s?o:o.filter(([r])=>r<=s)}column(t,e,o,s={}){let r=`${t} ${e}`,i=this.#t.get(r);if(!i){let h=(this.tables[t]??[]).filter(m=>m[e]!==null&&m[e]!==void 0),d=Object.entries({steps:0,values:e,...s});i=Object.fromEntries(d.map(([m,p])=>[m,h.map(u=>u[p])])),this.#t.set(r,i)}let a=o??1/0;if((i.steps.at(-1)??0)<=a)return i;let l=jt(i.steps,a);return Object.fromEntries(Object.entries(i).map(([h,d])=>[h,d.slice(0,l)]))}}});var Ba={};x(Ba,{chartTheme:()=>Es,colourOf:()=>re,config:()=>Ms,dashOf:()=>nn});function Es(n,t){let e=N(n),o=document.documentElement.hasAttribute("data-present")?1.25:1,s=e.scale*o,r=e.background[0]+e.background[1]+e.background[2]<384;return{...e,scale:s,dark:r,fontSize:11*s,colours:t[r?"dark":"light"],room:{left:Math.round(42*s),right:Math.round(10*s),top:Math.round(7*s),bottom:Math.round(20*s)},right:r?{fill:"#2a9d95",ink:"#06201e"}:{fill:"#0b7f7a",ink:"#fff"},wrong:r?{fill:"#43262a",ink:"#ff9d94"}:{fill:"#fbe3e0",ink:"#b3261e"}}}function re(n,t){return n.colours[t%n.colours.length]}function nn(n){return Da[n%Da.length]}function Ms(n){let{labels:t,ink:e,fontSize:o,family:s,scale:r}=n,i=j(zt(n.background,[128,128,128],.28)),a=j(zt(n.background,[128,128,128],.6));return{autosize:{type:"none"},padding:n.room,background:null,font:s,view:{stroke:null},axis:{labelColor:t,labelFontSize:o,labelPadding:4*r,labelLimit:n.room.left-6,tickColor:a,tickSize:4*r,domainColor:a,gridColor:i},axisX:{labelFlush:!0,labelLimit:80*r},text:{color:e,fontSize:o,font:s},rule:{color:e},range:{heatmap:n.probability.map(j),ramp:n.probability.map(j)}}}var Da,Kn=b(()=>{Y();Da=[[1,0],[6,3],[2,2],[9,3,2,3],[12,4],[4,2,1,2],[1,3],[14,3,4,3]]});var qa={};x(qa,{Chart:()=>Ee,Panel:()=>Ut,figure:()=>Fa,ownStyle:()=>As});function cm(n){let t=ja.then(n);return ja=t.then(()=>new Promise(e=>setTimeout(e,rm)),()=>{}),t}function Fa(n){if(n===0)return"0";let t=Math.abs(n);return t<1e-4||t>=1e5?n.toExponential(2):t>=100?n.toFixed(1):String(Number(n.toPrecision(4)))}function hm({low:n,high:t},e){let[o,s]=[n?.[e],t?.[e]];return typeof o=="number"&&typeof s=="number"?[o,s].map(r=>H(r).replace(" %","")).join("-"):""}function $s(n){return n?`n = ${n.toLocaleString("en-US")}`:""}function Ua(n){return n.reduce((t,{steps:e})=>e.length>t.length?e:t,[])}function dm({name:n,colour:t,dash:e}){let o=c("span","item");o.innerHTML='<svg viewBox="0 0 18 8" aria-hidden="true"><path d="M0 4h18"/></svg>';let s=o.querySelector("path");s&&Object.assign(s.style,{stroke:t,strokeDasharray:e.join(" ")});let r=c("b"),i=c("small"),a=c("span");return n&&o.append(c("span","name cut",n,{title:n})),i.append(a),o.append(r,i),{node:o,value:r,apart:a}}function As(n,t){return{colour:re(n,t),dash:t?[[1,0],[6,3],[2,2],[9,3,2,3]][t%4]:[1,0]}}var rm,Wa,im,am,Ga,_a,lm,ja,Ut,Ee,on=b(()=>{Se();Kn();K();C();rm=16,Wa=4,im=40,am=6,Ga=12,_a="Held-out inputs tested",lm=13,ja=Promise.resolve();Ut=class{board;panel;node;title;tested=c("span","tested soft",{title:_a});step=c("span","step soft");legend=c("div","legend cut");plot=c("div","plot");constructor(t,e){this.board=t,this.panel=e;let o=e.kind==="lines"&&e.measures.some(([s])=>t.library?.measures[s].grouped);this.node=c("section",`panel ${e.name}${e.share?" share":""}${o?" grouped":""}`),this.node.dataset.kind=e.kind,this.node.style.setProperty("--width",String(e.width)),this.node.dataset.panel=e.name,this.node.setAttribute("aria-label",e.title),this.title=c("h2","cut",e.title,{title:e.help??""}),this.node.append(c("header","",this.title,this.tested,this.step),this.legend,this.plot)}},Ee=class extends Ut{picture=c("div","picture");rule=c("div","rule");chip=c("div","chip");brush=c("div","brush");dots=c("div","dots");empty=c("div","empty","Appears after the next evaluation.");series=[];items=[];named="";cells=null;vega=null;key="";room=0;width=0;height=0;logged=!1;pointed;finalize;constructor(t,e){super(t,e),this.plot.append(this.picture,this.brush,this.rule,this.dots,this.chip,this.empty),Object.assign(this.plot,{tabIndex:0,role:"slider",ariaLabel:`${e.title}, by step`}),this.listen()}close(){this.key="closed",this.finalize?.(),this.node.remove()}setLines(t){this.series=t;let e=t.map(({key:o,name:s,colour:r,dash:i})=>[o,s,r,i]);JSON.stringify(e)!==this.named&&(this.named=JSON.stringify(e),this.items=t.map(dm),this.legend.replaceChildren(...this.items.map(o=>o.node)),this.dots.replaceChildren(...t.map(({colour:o})=>{let s=c("i");return s.style.background=o,s})))}setCells(t){this.cells=t}get steps(){return this.cells?.steps??Ua(this.series.filter(({beside:t})=>!t))}get reach(){return this.cells?.steps??Ua(this.series)}get margins(){let{room:t,scale:e}=this.board.theme;return{...t,top:t.top+(this.panel.kind==="lines"?this.board.lanes*Ga*e:0)}}measure(){let{left:t,right:e,top:o,bottom:s}=this.margins;this.room=this.plot.clientWidth,this.width=Math.max(10,this.room-t-e),this.height=Math.max(10,this.plot.clientHeight-o-s)}draw(){let{board:t}=this;if(this.empty.hidden=this.steps.length>0,!this.room||(this.prepare(),!this.vega))return;let{first:e,last:o}=t.axis,s=this.cells?this.cellRows(this.cells,e,o):this.lineRows(e,o);this.vega.padding(this.margins).width(this.width).height(this.height).signal("first",e).signal("last",o).data("rows",s).data("changes",t.changes()).run(),this.point(t.step)}async prepare(){let{board:t,panel:e}=this,{theme:o,library:s}=t;if(!s)return;let r=!!(e.log&&t.look.log),i=JSON.stringify([t.themeKey,r,this.named??""]);if(i===this.key)return;this.key=i;let a=e.kind==="lines"&&e.share?"shares":e.kind,l={width:100,height:100,...structuredClone(s.specs[a])};if(e.kind==="lines"&&this.dressLines(l,r),e.kind==="predictions"){let{right:p,wrong:u}=o,f={rightFill:p.fill,rightInk:p.ink,wrongFill:u.fill,wrongInk:u.ink};for(let g of l.params)g.value=f[g.name]??g.value}let h=c("div","sheet"),d={mode:"vega-lite",config:Ms(o),renderer:"canvas",actions:!1,tooltip:!1},m=await cm(async()=>i===this.key?s.embed(h,l,{...d,ast:!0,defaultStyle:!1,logLevel:1}):null);if(i!==this.key||!m)return m?.finalize();this.finalize?.(),this.finalize=()=>m.finalize(),this.vega=m.view,this.logged=r,this.picture.replaceChildren(h),this.measure(),this.draw()}dressLines(t,e){let o=this.series.map(({key:i})=>i),s=this.series.map(({colour:i})=>i),r=this.series.map(({dash:i})=>i);for(let{encoding:i}of t.layer)i?.color&&(i.color.scale={domain:o,range:s},i.strokeDash&&(i.strokeDash.scale={domain:o,range:r}),e&&(i.y.scale={type:"log"},i.y.axis={...i.y.axis,labelOverlap:!0}))}lineRows(t,e){let o=this.panel.noisy?this.board.look.smoothing:0,s=this.logged,r=[],i=0,a=[...this.series].sort((l,h)=>Number(h.beside??!1)-Number(l.beside??!1));for(let l of a){let h=Ss(l,o),d=Math.max(0,jt(l.steps,t-1e-9)-1),m=Math.min(l.steps.length,jt(l.steps,e)+1);i=Math.max(i,m-d);for(let p=d;p<m;p++)s&&!(l.values[p]>0)||r.push({step:l.steps[p],value:l.values[p],smooth:h[p],low:l.low?.[p],high:l.high?.[p],series:l.key})}return this.vega.signal("rawOpacity",o?.28:1).signal("rawWidth",(o?1:2)*this.board.theme.scale).signal("smoothWidth",2*this.board.theme.scale).signal("lineHeight",Ga*this.board.theme.scale).signal("lanes",this.board.lanes).signal("smoothOpacity",o?1:0).signal("pointSize",!o&&i<=im?18*this.board.theme.scale:0),r}cellRows({steps:t,rows:e,names:o,cell:s},r,i){let a=Math.max(0,jt(t,r)-1),l=jt(t,i),h=Math.max(1,Math.ceil((l-a)*am/this.width)),d=[];for(let u=l-1;u>=a;u-=h)d.unshift(u);d.length&&d[0]!==a&&d.unshift(a);let m=[],p=1/0;return d.forEach((u,f)=>{let[g,w]=[f-1,f+1].map(y=>(t[u]+t[d[y]])/2),S=f?g:t[u],A=f+1<d.length?w:Math.max(this.board.newest,f?t[u]:t[u]+1);p=Math.min(p,(A-S)/(i-r)*this.width);for(let y=0;y<o.length;y++){let M=s(e[u],y);M&&m.push({step:S,until:A,position:y,...M})}}),this.panel.kind==="predictions"&&this.vega.signal("roomy",p>=lm*this.board.theme.scale&&this.height/o.length>this.board.theme.fontSize),this.vega.signal("names",o.map(F)),m}toSVG(){return this.vega.toSVG()}x(t){let{first:e,last:o}=this.board.axis;return this.board.theme.room.left+(t-e)/(o-e)*this.width}point(t){let{board:e}=this;if(!this.room)return;let{first:o,last:s}=e.axis,r=this.steps,i=at(r,t),a=i<0?null:r[i];this.step.textContent=a===null?"":`step ${a.toLocaleString("en-US")}`;let l=t!==null&&t>=o&&t<=s;if(this.rule.hidden=this.chip.hidden=!l,l){let m=this.x(t),{top:p,bottom:u}=this.margins;this.rule.style.cssText=`left:${m}px;top:${p}px;bottom:${u}px`,this.chip.textContent=t.toLocaleString("en-US"),this.chip.style.left=`${Math.min(Math.max(m,16),this.room-16)}px`}let h=this.cells?this.tellCells(this.cells,i):this.tellLines(t,a,l),d=a===null?"nothing measured yet":`step ${a}: ${h}`;Object.assign(this.plot,{ariaValueMin:r[0]??0,ariaValueMax:r.at(-1)??0,ariaValueNow:a??0,ariaValueText:d})}tellLines(t,e,o){let s=this.panel.share?H:Fa,r=o&&this.vega?this.vega.scale("y"):null,{first:i,last:a}=this.board.axis,l=this.dots.querySelectorAll("i"),h=this.series[0]?.tested?.[at(this.series[0].steps,t)];return k(this.tested,$s(h)),[...this.series.map((m,p)=>{let u=at(m.steps,m.beside?t??e:t),f=this.items[p],g=u<0?"–":s(m.values[u]);k(f.value,g);let w=u>=0&&m.steps[u]!==e?`at ${m.steps[u].toLocaleString("en-US")}`:"",S=m.tested?.[u]===h?"":$s(m.tested?.[u]),A=hm(m,u),y=[w,A,S].filter(Boolean).join(", ");k(f.apart,y),f.apart.title=A?`95 % interval ${A} %. n: ${_a.toLowerCase()}`:y;let M=l[p],T=r&&u>=0?r(m.values[u]):NaN;return M.hidden=!Number.isFinite(T)||m.steps[u]<i||m.steps[u]>a,M.hidden||(M.style.transform=`translate(${this.x(m.steps[u])}px, ${T+this.margins.top}px)`),`${m.name} ${g} ${y}`.trim()}),$s(h)].filter(Boolean).join(", ")}tellCells({rows:t,names:e,tell:o,sum:s},r){let i=this.pointed===void 0?null:Math.floor(this.pointed*e.length),a=r<0?"":i!==null&&i>=0&&i<e.length?o(t[r],i):s(t[r]);return k(this.legend,a),a}listen(){let{plot:t,board:e}=this,o=l=>l.clientX-t.getBoundingClientRect().left,s=l=>{let{first:h,last:d}=e.axis;return h+(l-e.theme.room.left)/this.width*(d-h)},r=l=>{let{first:h,last:d}=e.axis,{reach:m}=this,p=at(m,s(l)),u=[p,p+1,p-1].find(f=>m[f]>=h&&m[f]<=d);return m[u??p]??null},i=l=>{let h=t.getBoundingClientRect();this.pointed=(l.clientY-h.top-this.margins.top)/this.height,e.rest(()=>r(l.clientX-t.getBoundingClientRect().left))},a=null;t.addEventListener("pointerdown",l=>{l.button!==0||!e.theme||(a={x:o(l),touch:l.pointerType==="touch"},a.touch?i(l):t.setPointerCapture(l.pointerId))}),t.addEventListener("pointermove",l=>{let h=!l.movementX&&!l.movementY;if(!e.theme||e.slide&&h||(i(l),!a||a.touch))return;let[d,m]=[a.x,o(l)].sort((u,f)=>u-f),{left:p}=e.theme.room;this.brush.hidden=m-d<=Wa,this.brush.style.left=`${Math.max(d,p)}px`,this.brush.style.width=`${Math.min(m,p+this.width)-Math.max(d,p)}px`}),t.addEventListener("pointerup",l=>{if(!a)return;let{x:h,touch:d}=a;a=null,this.brush.hidden=!0;let m=o(l);d?e.hold(r(m)):Math.abs(m-h)>Wa?e.zoom(s(Math.min(h,m)),s(Math.max(h,m))):e.clicked(r(m))}),t.addEventListener("pointercancel",()=>{a=null,this.brush.hidden=!0}),t.addEventListener("pointerleave",l=>{this.pointed=void 0,l.pointerType!=="touch"&&e.rest(null)}),t.addEventListener("dblclick",()=>e.zoom()),t.addEventListener("keydown",l=>this.press(l)),t.addEventListener("blur",()=>t.clientWidth&&e.hold(null)),this.brush.hidden=!0}press(t){if(t.ctrlKey||t.altKey||t.metaKey)return;let{board:e}=this,{steps:o}=this;if(!o.length)return;let s=at(o,e.step),r=t.shiftKey?10:1,i={ArrowLeft:s-r,ArrowRight:s+r,Home:0,End:o.length-1}[t.key];if(i!==void 0)e.hold(o[Math.min(Math.max(i,0),o.length-1)]);else if(t.key==="Enter")e.clicked(o[s]);else if(t.key==="Escape")e.hold(null);else if(t.key==="+"||t.key==="=")e.zoomAround(o[s],.5);else if(t.key==="-")e.zoomAround(o[s],2);else if(t.key==="0")e.zoom();else return;U(t)}}});var Ja={};x(Ja,{download:()=>Os});async function Os(n,t,e){let[o]=n.data.runs,s=n.single?o.name:"comparison";if(t==="csv"){for(let{id:m,name:p,shelf:u="runs"}of n.data.runs)Rs(new URL(`./${u}/${encodeURIComponent(m)}/metrics.csv`,document.baseURI).href,`${p}.csv`);return}let r=[s,e].filter(Boolean).join("-").replaceAll(/[^\p{L}\p{N}_-]+/gu,"-"),i=n.panels.filter(m=>"picture"in m),{text:a,width:l,height:h}=await mm(n,i.filter(({panel:m})=>!e||m.name===e)),d=URL.createObjectURL(new Blob([a],{type:"image/svg+xml"}));t==="svg"?Rs(d,`${r}.svg`):Rs(await fm(d,l,h),`${r}.png`),setTimeout(()=>URL.revokeObjectURL(d),6e4)}function Rs(n,t){let e=c("a","",{href:n,download:t});document.body.append(e),e.click(),e.remove()}async function mm(n,t){let e=t.map(({node:m})=>m.getBoundingClientRect()),o=Math.min(...e.map(m=>m.left)),s=Math.min(...e.map(m=>m.top)),r=Math.ceil(Math.max(...e.map(m=>m.right))-o)+2*Vn,i=Math.ceil(Math.max(...e.map(m=>m.bottom))-s)+2*Vn,{theme:a}=n,l=await Promise.all(t.map(async(m,p)=>{let u=await pm(m);return`<g transform="translate(${e[p].left-o+Vn}, ${e[p].top-s+Vn})">${u}</g>`})),h=`rgb(${a.background.join(",")})`;return{text:`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${r}" height="${i}" viewBox="0 0 ${r} ${i}" font-family="${Va(a.family)}"><rect width="100%" height="100%" fill="${h}"/>${l.join("")}</svg>`,width:r,height:i}}async function pm(n){let t=n.node.getBoundingClientRect(),e=[n.title,n.tested,n.step,...n.legend.querySelectorAll(".name, b, small")];n.legend.children.length||e.push(n.legend);let o=e.map(a=>um(a,t)).join(""),s=[...n.legend.querySelectorAll("svg")].map(a=>{let l=a.getBoundingClientRect(),h=getComputedStyle(a.querySelector("path")??a),d=l.top-t.top+l.height/2;return`<path d="M${l.left-t.left} ${d}h${l.width}" fill="none" stroke="${h.stroke}" stroke-width="2" stroke-dasharray="${h.strokeDasharray==="none"?"":h.strokeDasharray}"/>`}).join(""),r=n.plot.getBoundingClientRect(),i=await n.toSVG();return`${o}${s}<g transform="translate(${r.left-t.left}, ${r.top-t.top})">${i}</g>`}function um(n,t){let e=n.textContent;if(!e)return"";let o=n.getBoundingClientRect(),s=getComputedStyle(n);return`<text x="${o.left-t.left}" y="${o.top-t.top+o.height/2}" dominant-baseline="central" font-size="${s.fontSize}" font-weight="${s.fontWeight}" fill="${s.color}">${Va(e)}</text>`}function Va(n){return n.replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;")}async function fm(n,t,e){let o=new Image;o.src=n,await o.decode();let s=c("canvas","",{width:t*Ka,height:e*Ka});return ct(s).drawImage(o,0,0,s.width,s.height),s.toDataURL("image/png")}var Vn,Ka,Hs=b(()=>{C();Vn=24,Ka=2});var Ya,Xa=b(()=>{Ya=`.charts {
  container-type: inline-size;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  font-size: 0.875rem;
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
  font-size: 0.9em;
  opacity: 0.85;
}
select {
  background: var(--st-background-color);
}
.bar label {
  align-items: center;
  cursor: pointer;
  display: flex;
  font-size: 0.92em;
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
  gap: 0.6rem;
  justify-content: space-between;
}
h2 {
  font-size: 1em;
  font-weight: 650;
}
.tested,
.step {
  flex: none;
  font-size: 0.86em;
}
.tested {
  margin-left: auto;
}
/* It begins at the same position whatever its number. */
.step {
  min-width: 4.8em;
}
/* Each value has a column of its own, so that nothing moves when numbers become longer. */
.legend {
  align-content: start;
  display: grid;
  font-size: 0.9em;
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
  height: var(--panel-height, clamp(9.5rem, 21vh, 16rem)); /* on a slide, what it leaves */
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
  font-size: 0.78em;
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
.brush {
  background: color-mix(in srgb, var(--st-primary-color) 22%, transparent);
  bottom: 1.25rem;
  pointer-events: none;
  position: absolute;
  top: 0.45rem;
}
.empty {
  display: grid;
  font-size: 0.92em;
  inset: 0;
  opacity: 0.75;
  place-items: center;
  pointer-events: none;
  position: absolute;
}

/* ---- examples */
.plot.answers {
  cursor: default;
  overflow-y: auto;
  scrollbar-width: thin;
}
.example {
  align-items: center;
  border: 1px solid transparent;
  border-radius: 0.4rem;
  display: grid;
  font-size: 0.9em;
  gap: 0 0.5rem;
  grid-template-columns: 3.1em minmax(0, 1fr) 1.2rem;
  padding: 0.15rem 0.4rem;
  text-align: left;
  width: 100%;
}
/* Tokens are replaced while one presses; a press is the example's own. */
.example .tok {
  font-size: 0.92em;
  line-height: 1.55rem; /* the height of the row */
  min-width: 1.45em;
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

/* ---- attention */
[data-kind="attention"] header {
  justify-content: start;
}
[data-kind="attention"] .step {
  margin-left: auto;
}
.taps {
  font-size: 0.86em;
  min-height: 1.6em;
  min-width: 0;
}
.plot.heads {
  --column: 1fr;
  overflow: auto;
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
  }
  .panel:first-child {
    order: 0;
  }
  .bar {
    gap: 0.3rem 0.7rem;
    margin-top: 0.7rem;
    order: 1;
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
  height: calc(var(--panel-height) + 4.4rem); /* title and legend, however many rows it has */
}
.presented .plot {
  flex: 1;
  min-height: 0;
}
.presented h2 {
  font-size: 1.15rem;
}
.presented :is(.legend, .step, .tested) {
  font-size: 1rem;
}
.presented .example {
  font-size: 1.2rem;
}
`});var tl={};x(tl,{Examples:()=>sn,compared:()=>Za});function Za(n,t){let e=n.length-t.length-bm,o=e>1?n.slice(0,-e):n,s=Array.from({length:Math.max(o.length,t.length)},(r,i)=>[o[i]??"",o[i]===t[i]?"":o[i]===void 0?"missing":"wrong"]);return e>1?[...s,[`+${e}`,"more"]]:s}function Qa(n,t){let e=JSON.stringify(t);n.dataset.shown!==e&&(n.dataset.shown=e,n.replaceChildren(...t.map(([o,s])=>{let r=c("span",`tok ${s}`,o?F(o):" ");return s==="more"&&(r.title=`${o.slice(1)} more tokens`),r})))}var bm,sn,Ns=b(()=>{on();Se();C();bm=2,sn=class extends Ut{rows=[];predictions=[];steps=[];right=[];open=!1;named=()=>[];constructor(t,e){super(t,e),this.plot.classList.add("answers"),Object.assign(this.plot,{role:"radiogroup",ariaLabel:"Selected example"})}close(){this.node.remove()}fill(t,e){let{tokens:o=[],end:s,examples:r=[],open:i=!1}=e.more;for(this.open=i,this.legend.textContent=t.how,this.predictions=e.rows("predictions",t.upto),this.steps=this.predictions.map(([a])=>a),this.named=a=>a.filter(l=>l!==s).map(l=>o[l]),this.right=r.map(({right:a})=>this.named(a));this.rows.length>r.length;)this.rows.pop()?.node.remove();for(;this.rows.length<r.length;)this.rows.push(this.row(this.rows.length));this.rows.forEach((a,l)=>Qa(a.reads,this.named(r[l].reads).map(h=>[h,""])))}row(t){let[e,o,s]=["toks","toks","verdict"].map(i=>c("span",i)),r=v("example",c("small","","input"),()=>this.board.choose({example:t}),{role:"radio"});return r.append(e,c("small","","output"),o,s),this.plot.append(r),{node:r,reads:e,says:o,verdict:s}}measure(){}draw(){this.point(this.board.step)}point(t){let e=at(this.steps,t);this.step.textContent=e<0?"":`step ${this.steps[e].toLocaleString("en-US")}`,this.rows.forEach((o,s)=>{let r=this.right[s],i=this.predictions[e]?.[1][s],a=i?this.named(i):null,l=a?.length===r.length&&a.every((h,d)=>h===r[d]);Qa(o.says,a?this.open?a.map(h=>[h,""]):Za(a,r):[]),o.verdict.textContent=!a||this.open?"":l?"✓":"✕",o.verdict.title=!a||this.open?"":l?"all correct":"has errors",o.node.setAttribute("aria-checked",String(s===this.board.example))})}}});var nl={};x(nl,{Heads:()=>rn});async function xm(n,t){try{let e=await Ct(n,wm,t);return e.ok?W(new Uint8Array(await e.arrayBuffer())):{problem:e.status===429?await e.text():""}}catch{return{problem:""}}}var wm,ym,el,rn,zs=b(()=>{Jt();on();Se();ne();oe();St();C();wm=1e4,ym=300,el=26;rn=class extends Ut{choice=c("select","taps",{ariaLabel:"Which attention"});group=new _(this.plot);empty=c("div","empty","Attention heads appear once the run has saved a step.");shown=null;themed="";kept=[];run=null;latest=new Lt(ym,xm);width=0;height=0;address=null;constructor(t,e){super(t,e),this.plot.classList.add("heads"),Object.assign(this.plot,{role:"group",ariaLabel:"Attention weights"}),this.choice.addEventListener("change",()=>t.choose({tap:this.choice.value})),this.title.after(this.choice),this.plot.append(this.empty),this.group.listen(this.plot,()=>this.tell())}close(){this.latest.forget(),this.node.remove()}fill(t,e){let{attentions:o=[],kept:s=[]}=e.more;this.run=t,this.kept=s.filter(i=>i<=(t.upto??1/0));let r=JSON.stringify(o);this.choice.dataset.shown!==r&&(this.choice.dataset.shown=r,this.choice.replaceChildren(...o.map(({tap:i,title:a})=>new Option(a,i)))),this.choice.value=this.board.attention?.tap??""}measure(){this.width=this.plot.clientWidth,this.height=this.plot.clientHeight}draw(){this.shown&&this.layout(),this.point(this.board.step)}point(t){let{board:e}=this;if(!this.run||!e.attention)return;let o=this.kept[0]===0?this.kept:[0,...this.kept],s=new URLSearchParams({step:String(o[at(o,t)]),example:String(e.example),tap:e.attention.tap}),r=new URL(`./runs/${encodeURIComponent(this.run.id)}/attention?${s}`,document.baseURI).href;r!==this.address&&(this.address=r,this.latest.ask(r,i=>this.show(i)))}show(t){if(!("tensors"in t)){this.address=null,this.legend.textContent=t.problem;return}this.shown=t,this.empty.hidden=!0;let[e]=t.tensors;this.group.fill(e,rt(e),{},this.board.theme,null),this.step.textContent=`step ${t.step.toLocaleString("en-US")}`,this.layout()}layout(){let{board:t}=this,{theme:e}=t;if(!this.width)return;this.themed!==t.themeKey&&(this.themed=t.themeKey,this.group.paint(e,null));let o=t.slide?Math.round(3*el*e.scale):el;Xe(this.group,e,{width:this.width,height:this.height,most:o}),this.tell()}tell(){let t=this.group.words();!t&&this.shown&&(t=`example ${this.board.example+1}, with the model's own predictions`),k(this.legend,t)}toSVG(){let t=this.plot.getBoundingClientRect();return this.group.tiles.map(({canvas:e,title:o})=>{let s=e.getBoundingClientRect(),r=o.getBoundingClientRect();return`<text x="${r.left-t.left}" y="${r.top-t.top+r.height/2}" dominant-baseline="central" font-size="12" font-weight="600" fill="${this.board.theme.ink}">${o.textContent}</text><image href="${e.toDataURL()}" x="${s.left-t.left}" y="${s.top-t.top}" width="${s.width}" height="${s.height}"/>`}).join("")}get picture(){return this.plot}}});var sl={};x(sl,{toolbar:()=>Is});function Is(n){let t=c("span"),e=c("span"),o=Jn("Step through",()=>n.open(n.step??n.newest)),s=Jn("Latest",()=>n.hold(null)),r=Jn("Whole run",()=>n.zoom()),i=c("span","word",{role:"status"}),a=ol("Log scale",w=>n.change({log:w})),l=ol("Gradient norm",w=>n.observe(w)),h=c("input","",{type:"range",min:"0",max:String(Ps.length-1),step:"1",ariaLabel:"Smoothing"}),d=c("output","over");h.addEventListener("input",()=>n.change({smoothing:Ps[Number(h.value)]}));let m=vm(n);o.title="Open this training step in Step through.";let p=c("output","now",e,t),u=c("span","acts",o,s,r),f=c("label","smoothing","Smoothing ",h,d);return{node:c("div","bar wrap",p,u,i,f,a.node,l.node,m.node,{role:"toolbar",ariaLabel:"Charts"}),say:w=>i.textContent=w,tell(w,S){k(e,`Step ${km(w??S)}`),t.textContent=w===null?" (latest)":"",s.classList.toggle("unused",n.held===null),o.classList.toggle("unused",!n.data.opens||n.held===null)},update(){let{look:w,data:S}=n;a.input.checked=w.log,h.value=String(Ps.indexOf(w.smoothing)),d.textContent=w.smoothing?`over ${w.smoothing} steps`:"off",h.setAttribute("aria-valuetext",d.textContent),r.classList.toggle("unused",!n.zoomed),l.node.hidden=S.observes===null,l.input.disabled=!S.observes,l.node.title=S.observes===!1?"You can turn the gradient norm on or off only while the run trains.":"",l.input.checked=n.observed,m.update()}}}function km(n){return n.toLocaleString("en-US")}function Jn(n,t){let e=v("",n,t);return e.addEventListener("pointerdown",o=>o.preventDefault()),e}function ol(n,t){let e=c("input","",{type:"checkbox"});return e.addEventListener("change",()=>t(e.checked)),{node:c("label","check",e,n),input:e}}function vm(n){let t=c("select","",{ariaLabel:"Which charts"}),e=[["PNG","png"],["SVG","svg"],["CSV","csv"]].map(([a,l])=>{let h=Jn(a,()=>{n.download(l,t.value),r.open=!1});return Object.assign(h,{ariaLabel:`Download as ${a}`})}),o=c("small","","PNG and SVG show the charts as drawn. CSV has every recorded step."),s=c("summary","","Download"),r=c("details","downloads",s,c("div","menu",t,c("div","kinds",...e),o)),i=a=>{r.open&&!a.composedPath().includes(r)&&(r.open=!1)};return r.addEventListener("toggle",()=>{r.open?document.addEventListener("pointerdown",i):document.removeEventListener("pointerdown",i)}),r.addEventListener("keydown",a=>{a.key!=="Escape"||!r.open||(r.open=!1,s.focus(),a.stopPropagation())}),{node:r,update(){let a=[["","All charts"],...n.panels.filter(h=>"picture"in h).map(({panel:h})=>[h.name,h.title])],l=JSON.stringify(a);t.dataset.names!==l&&(t.dataset.names=l,t.replaceChildren(...a.map(([h,d])=>new Option(d,h))))}}}var Ps,Ds=b(()=>{C();Ps=[0,2,5,10,20,50,100,200,500,1e3,2e3,5e3]});var hl={};x(hl,{Board:()=>Yn,default:()=>Mm,prepare:()=>$m});async function Sm({program:n,specs:t},e,o){for(let s=al.first;;s=Math.min(2*s,al.most)){try{return await(Xn??=cl(n,t))}catch{Xn=null,e()}if(await new Promise(r=>setTimeout(r,s)),o())return null}}async function cl(n,t){let e=ll++?`?try=${ll}`:"",[{vegaEmbed:o},s]=await Promise.all([import(new URL(`./${n}${e}`,document.baseURI).href),fetch(new URL(`./${t}`,document.baseURI)).then(r=>r.json())]);return{embed:o,...s}}function $m({data:{program:n,specs:t}}){(window.requestIdleCallback??setTimeout)(()=>(Xn??=cl(n,t)).catch(()=>Xn=null))}function Rm(n,t,e){let o=n.rows(e,t.upto).filter(i=>i.length>1),s=o.map(i=>i.slice(1)),r=s.reduce((i,a)=>Math.max(i,a.length),0);return{steps:o.map(([i])=>i),rows:s,names:Array.from({length:r},(i,a)=>String(a+1)),cell:(i,a)=>typeof i[a]=="number"&&{value:i[a]},tell:(i,a)=>typeof i[a]=="number"?`position ${a+1}: ${H(i[a])} right`:`position ${a+1}: not evaluated`,sum(i){let a=i.map((h,d)=>[h,d]).filter(([h])=>typeof h=="number"),l=a.reduce((h,d)=>d[0]<h[0]?d:h,a[0]??[0,0]);return a.length?`lowest: position ${l[1]+1}, ${H(l[0])} right`:""}}}function Om(n,t,e){let{tokens:o=[],examples:s=[]}=n.more,r=n.rows("predictions",t.upto).filter(d=>d[1].length),i=r.map(d=>d[1][e]??[]),a=s[e]?.right??[],l=i.reduce((d,m)=>Math.max(d,m.length),a.length),h=d=>o[d]??"";return{steps:r.map(([d])=>d),rows:i,names:Array.from({length:l},(d,m)=>h(a[m])||"–"),cell:(d,m)=>(d[m]!==void 0||a[m]!==void 0)&&{token:h(d[m]),right:d[m]===a[m]},tell:(d,m)=>`position ${m+1}: predicted ${h(d[m])||"nothing"}, expected ${h(a[m])||"nothing"}`,sum:d=>`${a.filter((m,p)=>d[p]===m).length} of ${a.length} tokens right`}}var Tm,rl,il,al,Lm,Cm,Xn,ll,Em,Mm,Yn,Am,dl=b(()=>{At();P();xe();Xa();xt();on();Hs();Se();Kn();Ns();zs();vt();Rt();Ds();R();C();Tm=250,rl=4,il=7,al={first:1e3,most:3e4},Lm=[1,1.5,2,3,4,5,6,8,10],Cm={log:!1,smoothing:0,example:0,tap:""},Xn=null,ll=0;Em=[G,E,pt,Ya],Mm=L(Em,n=>new Yn(n),(n,{data:t,setStateValue:e,setTriggerValue:o})=>{n.open=s=>o("step",s),n.acts.adopt(t,s=>e("acts",s)),n.show(t)});Yn=class{parent;root;bar;grid=c("div","grid");observer=new ResizeObserver(()=>this.fit());unwatch;size="";shown="";themeKey="";names="";channel="";alone=!1;closed=!1;acts=new D;stores=new Map;panels=[];look=Cm;resting=null;held=null;zoomed=null;library=null;loading;data;theme;played=null;slide=null;open;news=0;frame=0;opening=0;constructor(t){this.parent=t,this.root=t.querySelector(".charts"),this.bar=Is(this),this.root.append(this.bar.node,this.grid),this.observer.observe(this.root),this.unwatch=ze.watch(e=>this.present(e)),document.addEventListener("keydown",this.letGo)}present(t){this.held=t&&this.slide?this.step:null,this.resting=null,this.slide=t,this.choosePanels(),this.fit(),this.shown&&this.point()}letGo=t=>{t.key!=="Escape"||!this.slide||this.held===null||(this.hold(null),t.preventDefault())};fit(){let t=`${this.root.clientWidth} ${this.panels.map(({plot:o})=>o.clientHeight)}`,e=t!==this.size;this.size=t,this.shown&&e&&(this.dress()?this.fill():this.redraw())}choosePanels(){this.grid.classList.toggle("presented",this.slide!==null);for(let{node:t,panel:e}of this.panels)t.classList.toggle("shown",!!this.slide?.panels.includes(e.name))}close(){this.closed=!0,cancelAnimationFrame(this.news),this.played?.close();for(let t of this.stores.values())t.leave(this.changed);this.observer.disconnect(),this.unwatch(),document.removeEventListener("keydown",this.letGo);for(let t of this.panels)t.close();this.root.replaceChildren()}async show(t){this.data=structuredClone(t),this.listen();for(let{id:e}of this.all)this.store(e);for(let[e,o]of this.stores)this.all.some(s=>s.id===e)||(o.leave(this.changed),this.stores.delete(e));this.loading??=Sm(t,()=>this.bar.say("Charts didn't load. Retrying ..."),()=>this.closed),this.library??=await this.loading,!this.closed&&(this.dress(),this.panels.length||this.fill(),this.refresh())}get drawn(){return JSON.stringify([this.data,this.themeKey,this.all.map(({id:t})=>this.store(t).version)])}changed=()=>{cancelAnimationFrame(this.news),this.news=requestAnimationFrame(()=>this.refresh())};refresh(){if(this.closed||!this.data||!this.library)return;for(let o of this.all){let{more:s}=this.store(o.id);!o.channel&&s.step!==void 0&&Object.assign(o,{step:s.step,ended:s.ended})}let t=this.all.map(({id:o})=>this.store(o).problem).find(Boolean)??"",{drawn:e}=this;this.bar.say(t),e!==this.shown&&(this.shown=e,this.fill())}store(t){let e=this.stores.get(t);if(e)return e;let s=(this.all.find(r=>r.id===t)?.shelf==="library"?Cs:Ls)(t,this.changed);return this.stores.set(t,s),s}listen(){let t=this.data.runs[0].channel??"";t!==this.channel&&(this.channel=t,this.played?.close(),this.played=t?new Gt(t,()=>{let e=this.played?.values??{},[o]=this.data.runs;o.channel===t&&e.step!==void 0&&Object.assign(o,{upto:e.step,step:e.step,ended:e.ended}),this.changed()}):null)}dress(){if(!this.library)return!1;let t=Es(this.parent,this.library.colours),e=JSON.stringify(t);if(e===this.themeKey)return!1;this.theme=t,this.themeKey=e;for(let[o,s]of Object.entries({right:t.right.fill,wrong:t.wrong.fill,miss:t.wrong.ink}))this.root.style.setProperty(`--${o}`,s);return!0}get observed(){let{id:t}=this.data.runs[0];return this.acts.pending.findLast(([,,e])=>e===t)?.[3]??this.data.observed}observe(t){this.acts.add("observe",this.data.runs[0].id,t),this.fill()}get single(){return this.data.runs.length===1}get all(){let{runs:t,beside:e}=this.data;return e?[...t,e]:t}fill(){let t=this.wanted(),e=t.map(({name:o})=>o).join(" ")+this.single;if(e!==this.names){this.names=e;let o=this.single===this.alone?new Map(this.panels.map(s=>[s.panel.name,s])):new Map;for(let s of this.panels)t.some(({name:r})=>r===s.panel.name&&o.has(r))||s.close();this.panels=t.map(s=>o.get(s.name)??new(Am[s.kind]??Ee)(this,s)),this.alone=this.single,this.grid.replaceChildren(...this.panels.map(({node:s})=>s)),this.choosePanels()}for(let o of this.panels)this.give(o);this.bar.update(),this.redraw()}wanted(){if(!this.library)return[];let{panels:t,compared:e,measures:o}=this.library,s=(r,i)=>o[i].grouped?this.store(r.id).rows(o[i].table,r.upto).some(a=>a.length>1):this.column(r,i).steps.length>0;return(this.single?t:e).filter(r=>this.data.panels.length&&!this.data.panels.includes(r.name)?!1:!r.if_measured||r.measures.some(([i])=>o[i].on_request&&this.observed||this.data.runs.some(a=>s(a,i))))}give(t){let{kind:e,measures:o}=t.panel,{runs:s}=this.data,[r]=s,i=this.store(r.id);if(!(t instanceof Ee))return t.fill(r,i);if(e==="positions")return t.setCells(Rm(i,r,o[0][0]));if(e==="predictions")return t.setCells(Om(i,r,this.example));if(this.library?.measures[o[0][0]].grouped)return t.setLines(this.groups(i,r,o[0][0]));if(!this.single)return t.setLines(s.map((m,p)=>({key:m.id,name:m.name,colour:re(this.theme,m.colour),dash:nn(p),...this.column(m,o[0][0])})));let l=o.filter(([m])=>!m.startsWith("teacher_forced")||r.forced.includes(m)).map(([m,p],u)=>({key:m,name:p,...As(this.theme,u),...this.column(r,m)})),{beside:h}=this.data,d=h&&{key:"beside",beside:!0,name:h.name,colour:re(this.theme,il),dash:nn(il)};t.setLines(d?[...l,{...d,...this.column(h,o[0][0])}]:l)}get example(){let{examples:t=[]}=this.store(this.data.runs[0].id).more;return Math.min(this.look.example,Math.max(0,t.length-1))}get attention(){let{attentions:t=[],attention:e}=this.store(this.data.runs[0].id).more;return t.find(({tap:o})=>o===this.look.tap)??t.find(({tap:o})=>o===e)??null}groups(t,e,o){let{groups:s={}}=t.more;return(s[o]??[]).map(([i,a],l)=>({tap:i,name:a,at:1+l})).filter(({tap:i})=>!i||i===this.attention?.tap).map(({name:i,at:a},l)=>({key:i,name:i,colour:re(this.theme,l),dash:nn(l+Math.floor(l/this.theme.colours.length)),...t.column(o,a,e.upto)}))}column(t,e){let{table:o,at:s,beside:r}=this.library.measures[e];return this.store(t.id).column(o,s,t.upto,r)}get newest(){return Math.max(0,...this.data.runs.map(t=>this.last(t)))}get end(){let{beside:t}=this.data;return Math.max(1,this.newest,t?this.last(t):0)}last({id:t,step:e,upto:o}){return o??Math.max(e,this.store(t).tables.steps?.at(-1)?.[0]??0)}get axis(){if(this.zoomed)return this.zoomed;let{end:t}=this;if(this.all.every(({ended:o})=>o))return{first:0,last:t};let e=10**Math.floor(Math.log10(t));return{first:0,last:Lm.map(o=>o*e).find(o=>o>=t)??t}}zoom(t=0,e=1/0){let{end:o}=this,s=t<=0&&e>=o,r=Math.max(0,Math.floor(t));this.zoomed=s?null:{first:r,last:Math.max(Math.ceil(Math.min(e,Math.max(o,r+1))),r+1)},this.bar.update(),this.redraw()}zoomAround(t,e){let{first:o,last:s}=this.axis;this.zoom(t-(t-o)*e,t+(s-t)*e)}changes(){let[{id:t,upto:e}]=this.data.runs;return(this.single?this.store(t).more.changes??[]:[]).filter(({step:s})=>s<=(e??1/0)).map(({step:s,label:r},i)=>({step:s,label:r,line:i%rl}))}get lanes(){return Math.min(rl,this.changes().length)}redraw(){this.size=`${this.root.clientWidth} ${this.panels.map(({plot:t})=>t.clientHeight)}`;for(let t of this.panels)t.measure();for(let t of this.panels)t.draw();this.tell()}get step(){return this.resting?this.resting():this.held}rest(t){this.resting=t,t&&this.slide&&(this.held=null),this.point()}hold(t){this.held=t,t!==null&&(this.resting=null),this.point()}point(){cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>{let{step:t}=this;for(let e of this.panels)e.point(t);this.tell()})}tell(){this.bar.tell(this.step,this.newest)}clicked(t){let e=this.opening;clearTimeout(e),this.opening=0,!(t===null||!this.data.opens)&&(this.zoomed?e||(this.opening=setTimeout(()=>{this.opening=0,this.open(t)},Tm)):this.open(t))}change(t){Object.assign(this.look,t),this.bar.update(),this.redraw()}choose(t){Object.assign(this.look,t),this.fill()}download(t,e){return Os(this,t,e)}},Am={examples:sn,attention:rn}});var ml={};x(ml,{legendItems:()=>an});function an(n,t,e){let o=[],s=(p,...u)=>{let f=c("div","item",...u,c("span","",p));return o.push(f),f},r=(p,u,f)=>{let g=c("div","bar");g.style.background=`linear-gradient(to right, ${u.map(j).join(", ")})`;let w=c("div","ticks",...f.map(S=>c("span","",S)));s(p,c("div","",g,w))},i=(p,u)=>{let f=c("div","swatch");return f.style.background=u,s(p,f)},a=[...e.negative.slice(1).reverse(),...e.positive],l=p=>[`-${de({},p)}`,"0",de({},p)],h=new Set(n.map(p=>p.kind)),d=(p,u)=>{let f=new Map(u.map(g=>[g.most,g.tensor.output?"output":"input"]));for(let[g,w]of f)r(f.size>1?`${p}, ${w}`:p,a,l(g))};d("number",n.filter(p=>p.kind==="signed"&&p.coloured)),h.has("probability")&&r("probability",e.probability,["0","0.5","1"]),d("gradient dL/d…",t.filter(p=>p.coloured)),h.has("mask")&&i("allowed",j(e.allowed));let m=n.filter(p=>p.hidden);if(m.length){let p=u=>m.some(f=>f.hidden?.some(g=>g&u));i("hidden by the causal mask",Hn(e,Yt)).classList.toggle("unused",!p(Yt)),i("hidden by the padding mask",Hn(e,ye)).classList.toggle("unused",!p(ye))}return o}var Qn=b(()=>{Y();C()});var Ws=mo(()=>{var ul="[class*=st-key-play-] button",ln=null,pl=new MutationObserver(()=>{if(!ln||ln.isConnected)return;if(document.activeElement!==document.body)return Bs(null);let n=document.querySelector(ul);n instanceof HTMLElement&&n.focus({preventScroll:!0})});function Bs(n){ln=n,n?pl.observe(document.body,{childList:!0,subtree:!0}):pl.disconnect()}document.addEventListener("focusin",({target:n})=>Bs(n instanceof Element?n.closest(ul):null));document.addEventListener("focusout",()=>{setTimeout(()=>{ln?.isConnected&&document.activeElement!==ln&&Bs(null)})})});var bl={};x(bl,{default:()=>zm});function Pm(){let n=document.querySelector(`[${ue}]`);return n!==null&&n.getAttribute(ue)!=="notRunning"}function Im(n,t){let e=document.querySelector(n);e&&typeof t=="string"&&k(e,t)}var sb,Hm,fl,gl,Nm,zm,Gs,wl=b(()=>{sb=Me(Ws());Rt();mt();R();C();Hm=1e3,fl=5e3,gl=200,Nm=50,zm=L([],()=>new Gs,(n,{data:t,setTriggerValue:e})=>n.show(t,()=>e("changed",!0)));Gs=class{followed=new Map;data;ask;timer=0;drawn=0;asked=!1;reported=new WeakSet;busy=-gl;show(t,e){if(this.ask=e,t.at===this.data?.at)return;let{shown:o={},again:s}=t;for(let[r,i]of this.followed)r in o||(i.close(),this.followed.delete(r));for(let r of Object.keys(o))this.followed.has(r)||this.followed.set(r,new Gt(r,()=>this.check()));Object.assign(this,{data:t,drawn:performance.now(),asked:!1}),clearTimeout(this.timer),s===void 0?this.check():this.repeat(1e3*s)}get news(){return Object.entries(this.data.shown??{}).flatMap(([t,e])=>{let o=this.followed.get(t);if(!o)return[];if(o.gone)return this.reported.has(o)?[]:[o];let s=Object.keys(e).map(r=>o.values[r]??null);return o.at&&JSON.stringify(s)!==JSON.stringify(Object.values(e))?[o]:[]})}check(){let{at:t,wait:e,texts:o={}}=this.data;for(let l of this.followed.values())if(l.gone||this.reported.delete(l),l.at>t)for(let[h,d]of Object.entries(o))Im(d,l.values[h]);if(this.asked)return;clearTimeout(this.timer);let{news:s}=this;if(!s.length)return;let r=performance.now(),i=s.every(l=>l.at<=t),a=this.drawn+Math.max(i?Hm:0,1e3*e)-r;if(a>0)return this.later(a);if(Pm()&&(this.busy=r),r-this.busy<gl)return this.later(Nm);this.asked=!0,this.later(fl);for(let l of s)l.gone&&this.reported.add(l);this.ask()}later(t){this.timer=setTimeout(()=>{this.asked=!1,this.check()},t)}repeat(t){this.timer=setTimeout(()=>{this.ask(),this.repeat(fl)},t)}close(){clearTimeout(this.timer);for(let t of this.followed.values())t.close()}}});var xl,yl=b(()=>{xl=`.progress {
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
  font-size: 0.875rem;
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
`});var kl={};x(kl,{default:()=>Bm});var Bm,js,vl=b(()=>{P();yl();Rt();R();C();Bm=L([E,xl],n=>new js(n),(n,{data:t})=>n.show(t)),js=class{status=c("span","status");text=c("span","text");fill=c("i");bar=c("div","bar",this.fill,{role:"progressbar",ariaValueMin:"0",ariaValueMax:"100"});root=c("div","progress",c("div","line",this.status," ",this.text),this.bar);live=new it(()=>this.draw());data;constructor(t){this.root.dataset.testid="progress",t.append(this.root)}show(t){this.data=t,this.live.show(t),this.draw()}draw(){let{field:t,label:e}=this.data,o=t&&this.live.isNewer?this.live.values[t]:this.live.values;if(!o)return;let{status:s="",text:r,done:i,colour:a="gray",meaning:l=""}=o;k(this.status,s),this.status.title=l,k(this.text,r),this.status.style.color=`var(--st-${a}-text-color)`,this.status.style.background=`var(--st-${a}-background-color)`,this.status.hidden=!s,this.fill.className=i===null?"unknown":"",this.fill.style.width=i===null?"":`${100*i}%`,this.bar.ariaValueNow=i===null?null:String(Math.round(100*i)),this.bar.ariaLabel=e||`${s} ${r}`}close(){this.live.close(),this.root.remove()}}});var Ll,Tl=b(()=>{Ll=`/* The architecture diagram: what a page adds to the drawing, which has its own look. */
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
  stroke-width: 2.6;
}
.arch .lit .box,
.arch .lit[role="button"]:is(:hover, :focus-visible) .box {
  fill-opacity: 0.05;
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
`});var Sl={};x(Sl,{default:()=>Um,follow:()=>_s,go:()=>Ot,unfollow:()=>Fs});function _s(n,t,{parentElement:e,setStateValue:o}){Kt.set(n,{...t,host:e.host??e}),to.adopt(t,s=>o("acts",s)),ot.set(n,t)}function Fs(n){ot.set(n,null),Kt.set(n,null)&&to.release()}function Cl(){return!!Kt.value?.host.isConnected}function Ot(n){return Cl()?(to.add("go","",n),innerWidth<Gm&&Zn?.host.scrollIntoView({behavior:V()?"auto":"smooth"}),!0):!1}var Gm,jm,to,Zn,Um,Us,cn=b(()=>{xt();J();K();mt();R();C();vt();Gm=640,jm={ArrowRight:["operation",1],ArrowLeft:["operation",-1],PageDown:["operation",1],PageUp:["operation",-1],"Shift+ArrowRight":["sublayer",1],"Shift+ArrowLeft":["sublayer",-1],".":["time",1],",":["time",-1],g:["gradient",1]},to=new D,Zn=null,Um=L(nt,n=>new Us(n),n=>Zn=n);document.addEventListener("keydown",n=>{if(!Cl()||!q(n))return;let[t,e]=jm[qt(n)]??[];t&&(n.preventDefault(),(!n.repeat||t!=="gradient")&&to.add(t,"",e))});Us=class{host;list=c("ol","wrap");menu=c("div","menu",{role:"menu",popover:"auto"});nav=c("nav","crumbs",this.list,this.menu,{ariaLabel:"Path of this operation"});tour=c("nav","tour wrap",{ariaLabel:"Short tour"});unwatch;constructor(t){this.host=t.host??t,this.host.style.scrollMarginTop="4.5rem",t.append(this.tour,this.nav),this.listen(),this.unwatch=Kt.watch(e=>e&&this.draw(e))}close(){this.tour.remove(),this.nav.remove(),Zn===this&&(Zn=null),this.unwatch()}listen(){let{list:t,menu:e}=this,o=r=>r.target.closest("button"),s=()=>e.getRootNode().activeElement;t.addEventListener("click",r=>{let i=o(r);i&&(i===t.lastElementChild?.firstElementChild?this.openMenu(i):Ot({name:i.value}))}),e.addEventListener("click",r=>{let i=o(r);i&&(e.hidePopover(),Ot({name:i.value}))}),e.addEventListener("keydown",r=>{let i=[...e.querySelectorAll("button")],a=i.findIndex(h=>h===s()),l={ArrowDown:a+1,ArrowUp:a-1+i.length,Home:0,End:i.length-1}[r.key];r.stopPropagation(),l!==void 0&&(r.preventDefault(),i[l%i.length].focus())}),e.addEventListener("toggle",r=>{let i=t.querySelector("button.last");i?.setAttribute("aria-expanded",String(r.newState==="open")),r.newState==="closed"&&e.contains(s())&&i?.focus()})}draw({lit:t,crumbs:e,stops:o=[]}){let{host:s,tour:r,list:i,menu:a}=this;r.hidden=!o.length,s.closest(He)?.style.setProperty("flex-basis",o.length?"100%":"");let l=[...r.children],h=l.pop()??v("stop end","End tour",()=>Ot({ends:!0}));bt(r,[...o.map(([p,u],f)=>{let g=l[f]??v("stop",`${f+1} ${p}`,()=>Ot({name:g.value}));return Object.assign(g,{value:u,ariaCurrent:u===t?"step":null})}),h]);let d=r.querySelector("[aria-current]");for(d&&(r.scrollLeft=d.offsetLeft-(r.clientWidth-d.offsetWidth)/2),a.dataset.lit!==t&&a.matches(":popover-open")&&a.hidePopover(),a.dataset.lit=t;i.children.length>e.length;)i.lastElementChild?.remove();for(;i.children.length<e.length;)i.append(c("li","",c("button","",{type:"button"})));let m=i.querySelectorAll("button");e.forEach(([p,u],f)=>{let g=m[f],w=f===e.length-1;k(g,p),g.classList.toggle("last",w),Object.assign(g,{value:u,...w?{ariaCurrent:"step",ariaHasPopup:"menu",ariaExpanded:"false"}:{ariaCurrent:null,ariaHasPopup:null,ariaExpanded:null}})}),i.scrollLeft=i.scrollWidth}openMenu(t){let{menu:e}=this,o=Kt.value?.lit,s=o===void 0?[]:fe.value?.(o)??[];if(!s.length)return;let r={type:"button",role:"menuitem",tabIndex:-1};e.replaceChildren(...s.map(({label:d,name:m})=>c("button","",d,{...r,value:m,ariaCurrent:m===o?"step":null}))),e.showPopover();let i=t.getBoundingClientRect(),{offsetWidth:a,offsetHeight:l}=e,h=innerHeight-i.bottom-8;e.style.left=`${Math.max(8,Math.min(i.left,document.documentElement.clientWidth-a-8))}px`,e.style.top=`${l<=h?i.bottom+4:Math.max(8,innerHeight-l-8)}px`,(e.querySelector("[aria-current]")??e.querySelector("button"))?.focus()}}});var El={};x(El,{default:()=>Fm});function qm(n,t,[e,o]){let s=l=>{let h=(l.querySelector(".box")??l).getBoundingClientRect();return[h.x+h.width/2,h.y+h.height/2]},[r,i]=s(t),a=null;for(let l of n){let[h,d]=s(l),m=(h-r)*e+(d-i)*o,p=Math.abs((h-r)*o)+Math.abs((d-i)*e);if(l===t||m<=p)continue;let u=m+2*p;u<(a?.far??1/0)&&(a={part:l,far:u})}return a?.part}var _m,Fm,qs,Ml=b(()=>{Tl();K();cn();vt();Rn();R();_m={ArrowUp:[0,-1],ArrowDown:[0,1],ArrowLeft:[-1,0],ArrowRight:[1,0]},Fm=L([Ll],n=>new qs(n),(n,{data:{svg:t,action:e},setTriggerValue:o})=>{n.open=s=>Ot({part:s})||o("part",s),n.action=e,n.svg!==t&&n.draw(t),n.unwatch(),n.unwatch=ot.watch(s=>n.light(s))}),qs=class{root;parts=[];stop=null;svg="";action="";open=()=>{};unwatch=()=>{};closing=new AbortController;constructor(t){this.root=t.querySelector(".picture"),this.listen()}close(){this.closing.abort(),this.unwatch(),this.root.replaceChildren()}draw(t){let{activeElement:e}=this.root.getRootNode(),o=e instanceof SVGElement&&e.dataset.part;this.svg=t,this.root.innerHTML=t;let s=this.root.querySelector("svg"),r=s?.querySelector("title");if(!s||!r)throw new Error("The picture is no drawing with a title.");Object.assign(s,{role:"group",ariaLabel:`${r.textContent}: parts, arrow keys move`}),r.remove(),this.parts=[...s.querySelectorAll("[data-part]")];for(let i of this.parts){for(let l of i.querySelectorAll("g, text, tspan"))l.after(" ");let a=i.textContent?.replace(/\s+/g," ").trim();Object.assign(i,{role:"button",ariaLabel:`${i.dataset.name}: ${a}`}),i.setAttribute("aria-description",`${i.dataset.shape}. ${i.dataset.tip}`)}this.setStop(this.parts.find(i=>i.dataset.part===o)??this.parts[0]),o&&this.stop?.focus({preventScroll:!0})}setStop(t){for(let e of this.parts)e.setAttribute("tabindex",e===t?"0":"-1");this.stop=t}light(t){this.root.querySelector("svg")?.classList.toggle("whole",!!t?.whole);for(let e of this.parts){let o=t?.parts?t.parts.includes(e.dataset.part??""):e.dataset.part===t?.part;e.classList.toggle("lit",o),e.ariaCurrent=o?"step":null,o&&!this.root.matches(":focus-within")&&this.setStop(e)}for(let e of this.root.querySelectorAll("[data-along]")){let o=e.dataset.along===t?.along;e.classList.toggle("along",o),e.classList.toggle("joined",o&&!!t?.joined)}for(let e of this.root.querySelectorAll("[data-stack]")){let o=e.querySelector(".times");if(!o)continue;let s=o.dataset.all??=o.textContent??"",r=e.dataset.stack===t?.stack;e.classList.toggle("here",r),o.textContent=r?s.replace("×",`layer ${t?.layer} of`):s}}listen(){let{signal:t}=this.closing,e=(s,r)=>this.root.addEventListener(s,i=>{let a=i.target instanceof Element&&i.target.closest("[data-part]");a&&r(a,i)},{signal:t}),o=s=>$n(s,s.dataset.name,s.dataset.shape,s.dataset.tip,this.action);e("pointerover",(s,r)=>r.pointerType!=="touch"&&o(s)),e("pointerout",An),e("focusin",s=>{this.setStop(s),s.matches(":focus-visible")&&o(s)}),e("focusout",Tt),e("click",s=>this.open(s.dataset.part)),e("keydown",(s,r)=>{if(r.ctrlKey||r.altKey||r.metaKey)return;let i=_m[r.key];if(!(!i&&r.key!=="Enter"&&r.key!==" ")){if(U(r),!i)return this.open(s.dataset.part);qm(this.parts,s,i)?.focus()}})}}});var $l={};x($l,{asker:()=>Vs,question:()=>Js});function Js({walk:n,operation:t},e){let o=new URLSearchParams({operation:t,at:e.join(",")});return new URL(`./walk/${encodeURIComponent(n||"none")}/cell?${o}`,document.baseURI).href}var Km,Vm,Ks,Vs,Xs=b(()=>{Jt();Km=500,Vm=1e4,Ks={lines:[],strips:[]},Vs=()=>new Lt(Km,async(n,t)=>{try{let e=await Ct(n,Vm,t);return e.status===410?{...Ks,gone:!0,problem:""}:e.ok?await e.json():{...Ks,problem:await e.text()}}catch{return{...Ks,problem:"Server not responding. Point at the cell again."}}})});var Pl={};x(Pl,{Expression:()=>dn});function Ol(n){return n.terms.length>0&&n.terms.every(t=>t.every(e=>e===0||e===1))}function ep(n,t){let e=c("div","line"),o=le("maths",`Expression ${n.name||t+1}`);for(let[s,r]of[["symbolic",n.symbolic],["numbers",n.numbers]]){let i=c("span",s);i.innerHTML=r,o.append(s==="numbers"?"=":"",i)}return e.append(o),n.name&&!o.textContent.startsWith(n.name)&&o.prepend(c("span","name",n.name)),n.terms.length&&e.append(np(n)),e}function np(n){let t=n.terms[0].length-1,e=(i,a)=>[i,...a].map(l=>l.padStart(hn)).join(""),o=[e(n.over,n.terms.map((i,a)=>String(n.indices?.[a]??a+1)))],s=zl(n);for(let i=0;i<t;i++)o.push(e(i&&s?"×":"",n.terms.map(a=>Hl(a[i]))));(t!==1||n.terms.some(i=>i[0]!==i[1]))&&o.push(e(s?"=":"→",n.terms.map(i=>Hl(i[t]))));let r=le("terms",`${n.terms.length} terms${n.name&&` of ${n.name}`}`,c("pre","",o.join(`
`)));return Nl.set(r,n),r}function zl(n){return n.terms.every(t=>{let e=t.slice(0,-1).reduce((o,s)=>o*Number(s),1);return t.length>2&&Math.abs(e-Number(t.at(-1)))<=1e-6*Math.max(1,Math.abs(e))})}function Hl(n){let t=I(n);return t.length<hn?t:Number(n).toExponential(1)}function op(n){let t=n.terms.length;return t<2?I(n.value):`${I(n.value)}, sum of ${t} ${zl(n)?"products":"terms"}`}function sp(n,t){let o=n==="relu"?f=>Math.max(0,f):f=>f/2*(1+rp(f/Math.SQRT2)),s=Math.max(3,Math.ceil(Math.abs(t))),r=s,i=-s/4,[a,l]=[160,100],h=f=>(f+s)/(2*s)*a,d=f=>l-(f-i)/(r-i)*l,p=Array.from({length:81},(f,g)=>-s+2*s*g/80).map((f,g)=>`${g?"L":"M"}${h(f).toFixed(1)} ${d(o(f)).toFixed(1)}`).join(""),u=c("div","curve");return u.innerHTML=`<svg viewBox="-6 -6 ${a+12} ${l+12}" role="img"
    aria-label="${n} at ${I(t)} is ${I(o(t))}">
    <path class="axis" d="M0 ${d(0)}H${a}M${h(0)} 0V${l}"/><path class="graph" d="${p}"/>
    <path class="drop" d="M${h(t)} ${d(0)}V${d(o(t))}H${h(0)}"/>
    <circle cx="${h(t)}" cy="${d(o(t))}" r="4.5"/></svg>`,u.append(c("span","",`${n==="relu"?"ReLU":"GELU"}(${I(t)}) = ${I(o(t))}`)),u}function rp(n){let t=1/(1+.3275911*Math.abs(n)),e=t*(.254829592+t*(-.284496736+t*(1.421413741+t*(-1.453152027+t*1.061405429))));return Math.sign(n)*(1-e*Math.exp(-n*n))}var Jm,Xm,Al,hn,Ym,Qm,Zm,tp,Rl,Nl,dn,Ys=b(()=>{Bt();C();Jm=400,Xm=640,Al="playground worked cell",hn=9,Ym=1e-4,Qm=.01,Zm="The model's own number differs from this calculation, by more than rounding.",tp="The model computes with about 7 digits (float32). This calculation uses 16, so small numbers can differ.",Rl={axis:"",labels:"",names:null,first:0,count:1,size:1},Nl=new WeakMap,dn=class{root;onFold;where=c("div","where");folder=v("folder","",()=>this.fold(!this.folded),{ariaKeyShortcuts:"e",ariaLabel:"Calculation of the cell"});folded=innerWidth<=Xm;strips=c("div","strips");lines=c("div","lines wrap");live=c("div","live unseen",{ariaLive:"polite"});tiles=[];theme;parameters=[];cell=null;speaking;hint="";constructor(t,e){this.root=t,this.onFold=e;let o=ce("sessionStorage",Al);o&&(this.folded=o==="folded"),t.setAttribute("aria-label","How the cell was computed"),t.append(c("div","head",this.folder,this.where),this.strips,this.lines,this.live),this.showFolded()}fold(t){this.folded=t,$e("sessionStorage",Al,t?"folded":"open"),this.showFolded(),this.onFold()}showFolded(){let{folder:t,folded:e}=this;this.root.classList.toggle("folded",e),t.textContent=e?"▸":"▾",t.title=`${e?"Show":"Hide"} the calculation. Key e`,t.ariaExpanded=String(!e)}expect(t,e){for(this.theme=e,this.parameters=t,this.strips.classList.toggle("none",!t.length);this.tiles.length<t.length;){let o=qe(this.strips);o.node.removeAttribute("role"),o.node.tabIndex=-1,o.scroller.tabIndex=0,o.scroller.addEventListener("scroll",()=>o.viewport&&Z(o,this.theme),{passive:!0}),this.tiles.push(o)}for(;this.tiles.length>t.length;)this.tiles.pop()?.node.remove();this.clear()}clear(){this.cell=null,this.root.classList.remove("waiting"),this.where.replaceChildren(c("span","hint",this.hint)),this.lines.replaceChildren(),this.showStrips([]),this.speak("")}point(t,e,o,s=()=>{}){let r=[c("span","position cut",t),c("b","value",t&&e?` = ${e}`:e)];o&&r.push(v("unlock","Unpin",s,{title:"Escape"})),this.where.replaceChildren(...r),this.root.classList.add("waiting")}value(t,e){this.point(t,e,!1),this.root.classList.remove("waiting")}bare(t){this.cell=null,this.root.classList.remove("waiting"),this.lines.replaceChildren(),this.showStrips([]),this.speak(t)}tell(t,e,o){if(this.root.classList.remove("waiting"),this.cell===t)return;if(this.cell=t,t.problem){this.lines.replaceChildren(c("p","problem",t.problem)),this.showStrips([]);return}let[s,...r]=[...t.lines].reverse(),i=r.reverse().sort((d,m)=>Number(Ol(d))-Number(Ol(m))),a=[s,...i].map(ep);t.curve&&a.push(sp(...t.curve)),t.remark&&a.push(c("p","small soft",t.remark));let l=Math.abs(Number(o)-Number(s.value)),h=Math.max(...[o,s.value,...s.terms.map(d=>d.at(-1))].map(d=>Math.abs(Number(d))));l>Qm*h?a.push(c("p","small soft",Zm)):l>Ym*Math.abs(Number(s.value))&&a.push(c("p","small soft",tp)),this.lines.replaceChildren(...a),this.showStrips(t.strips),this.speak(e&&`${e} = ${op(s)}`)}speak(t){clearTimeout(this.speaking),!(!t||t===this.live.textContent)&&(this.speaking=setTimeout(()=>this.live.textContent=t,Jm))}showStrips(t){let e=this.tiles.filter((o,s)=>{let{name:r,title:i}=this.parameters[s],a=t.find(d=>d.tensor===r);if(o.title.textContent=a?a.title:i,o.node.classList.toggle("empty",!a),!a)return!1;let l=Math.max(...a.values.map(Math.abs))||1,h=a.values.length;return o.grid={strip:!0,kind:"signed",title:a.title,rows:1,columns:h,values:Float32Array.from(a.values),row:Rl,column:Rl,marked:null,coloured:!0,most:l,whole:!1,hidden:null},Mt(o,this.theme),o.axes="",o.node.style.flex=h>1?"1 1 0":"none",Ke(o,this.theme),!0});for(let o of e)It(o,ut(o,0,1/0),1/0,0);for(let o of e)It(o,o.box,1/0,0),o.scroller.scrollLeft=0,Z(o,this.theme)}progress(t,e,o){let r=[...this.lines.querySelectorAll(".terms")].find(h=>Nl.get(h)===t);if(!r)return;this.root.classList.add("making"),r.style.setProperty("--done",`${(e+1)*hn}ch`),r.classList.add("growing");let i=r.querySelector("pre"),a=i&&r.clientWidth&&i.offsetWidth/((t.terms.length+1)*hn);r.scrollLeft=Math.max(0,(e+2)*hn*(a??0)-r.clientWidth);let l=this.where.querySelector(".value");l&&(l.textContent=t.name?` · ${t.name} so far ${o}`:` = ${o} so far`)}grown(){this.root.classList.remove("making");for(let t of this.lines.querySelectorAll(".growing"))t.classList.remove("growing")}}});var Il={};x(Il,{play:()=>tr,scene:()=>Zs});function Zs(n,t){let{expression:e}=n;return{blank(o){n.made=o,n.repaint()},light(o,s){n.pointed=o,n.marks.clear(),n.showInputs();let r=n.find(o);r&&n.marks.cross(r,!1),n.sources(s),e.point(n.whereOf(o),"…",!1),e.tell(s,n.inWords(o))},progress:(o,s,r)=>e.progress(o,s,r),landed(o,s){e.grown(),e.value(n.whereOf(o),s)},cell:()=>n.find(t),say:o=>n.nodes.announcement.textContent=o}}async function tr(n,t,e,o){let s=V(),r=m=>new Promise(p=>{let u=setTimeout(p,m);o.addEventListener("abort",()=>(clearTimeout(u),p()),{once:!0})});n.blank(()=>!1),n.light(t,e),n.say("These are the numbers it is computed from.");let i=[...e.lines].reverse().find(m=>m.terms.length)??null;if(i&&n.progress(i,0,"…"),await r(Qs),i&&!o.aborted){let m=cp(i),p=i.terms.length,u=Math.min(ap,ip/p),f=s?p:Math.max(1,Math.round(16/u));for(let g=f;!o.aborted&&(n.progress(i,g,m?I(m[g-1]):"…"),n.say(`${g} of ${p} terms${i.name?` of ${i.name}`:""}${m?`, so far ${I(m[g-1])}`:""}.`),await r(s?Qs:u*f),!(g>=p));g=Math.min(p,g+f));}if(o.aborted)return;let a=n.cell();if(!a)return;let{grid:l,row:h,column:d}=a;n.blank((m,p,u)=>m===t.head&&p===h&&u===d),n.landed(t,wt(l,h*l.columns+d)),n.say("This is its value. All other cells are computed the same way."),await r(Qs);for(let m=1;!s&&m<l.rows&&!o.aborted;m++)n.blank((p,u,f)=>u<m||p===t.head&&u===h&&f===d),await r(lp/l.rows)}function cp(n){let t=n.terms.map(o=>o.at(-1)??-1/0),e=o=>t.reduce((s,r)=>[...s,s.length?o(s[s.length-1],r):r],[]);return n.name&&t.length>1&&Math.max(...t)===(n.value??-1/0)?e(Math.max):t.every(Number.isFinite)?e((o,s)=>o+s):null}var Qs,ip,ap,lp,er=b(()=>{J();C();Qs=900,ip=3200,ap=420,lp=1600});var Dl={};x(Dl,{frame:()=>nr,write:()=>mn});function mn(n,t){for(let e of n.children)e.classList.toggle("unused",e.textContent!==t)}function nr(n,t){let e=(a,l,h)=>{let d=c("button","",...[a].flat().map((m,p)=>c("span",p?"unused":"",m)));return h&&Object.assign(d,{ariaKeyShortcuts:h,title:`Key ${h}`}),d.addEventListener("click",l),d},o={tableButton:e(["Show as table","Show as heatmap"],t.table,"t"),playButton:e(["Compute slowly","Stop"],t.compute,"p"),allButton:e("All heads",t.all,"0"),announcement:c("span","announcement cut",{role:"status"}),clipboard:c("textarea","clipboard",{readOnly:!0,hidden:!0,ariaLabel:"The numbers, to copy"}),inputs:c("div","area inputs wrap"),arrow:c("div","arrow",{ariaHidden:"true"}),outputs:c("div","area outputs wrap"),tables:c("div","tables"),legend:c("div","legend wrap"),panel:c("section","expression")},s=[e("Copy as text",t.text),e("Copy as NumPy",t.numpy)],r=c("div","actions wrap",o.tableButton,o.playButton,...s,o.announcement,o.allButton),i=c("div","sides",o.inputs,o.arrow,o.outputs);return n.append(r,o.clipboard,i,o.tables,o.legend,o.panel),{sides:i,...o}}var or=b(()=>{C()});var Bl={};x(Bl,{Looks:()=>pn});var pn,sr=b(()=>{pn=class{now={table:!1,head:null,cell:null};received="";reported=[];adopt(t,e){let o=JSON.stringify(t),s=this.reported.indexOf(o);s>=0&&this.reported.splice(0,s+1),(s<0?e||o!==this.received:!this.reported.length)&&(this.now=t,this.reported=[]),this.received=o}change(t){return this.now={...this.now,...t},this.reported.push(JSON.stringify(this.now)),this.now}}});var Gl,Wl=b(()=>{Gl=`/* Heatmaps whose rows light together, each head with its caption. */
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
`});var jl={};x(jl,{default:()=>fp});var dp,mp,pp,up,fp,rr,Ul=b(()=>{At();P();xe();Wl();J();Y();ne();oe();St();Bt();K();R();C();dp=270,mp=480,pp=600,up=30,fp=L([G,E,pt,Gl],n=>new rr(n),(n,{data:t,setTriggerValue:e})=>{n.tell=e,n.show(W(t))}),rr=class{root;box;announcement=c("div","announcement small",{role:"status"});area=c("div","area");sizes=new ResizeObserver(()=>this.room()!==this.width&&this.layOut());tell=()=>{};groups=[];cursors=new WeakMap;at=null;width=0;before=0;uncovered="";data;constructor(t){this.root=t,this.box=t.querySelector(".maps"),this.box.append(this.announcement,this.area),this.area.addEventListener("pointermove",e=>this.point(this.below(e))),this.area.addEventListener("pointerleave",()=>this.point(null)),this.area.addEventListener("click",e=>this.choose(this.below(e))),this.area.addEventListener("keydown",e=>this.press(e)),this.area.addEventListener("focusin",e=>this.enter(e.target)),this.area.addEventListener("focusout",()=>this.point(null)),this.sizes.observe(this.box)}close(){this.sizes.disconnect(),this.box.replaceChildren()}show(t){this.data=t,this.area.classList.toggle("beside",!t.opens);let{tensors:e}=t;for(;this.groups.length<e.length;)this.groups.push(new _(this.area));for(;this.groups.length>e.length;)this.groups.pop()?.remove();let o=N(this.root);this.groups.forEach((s,r)=>{let i=e[r],a=Array.from(i.values).reduce((l,h)=>Number.isFinite(h)?Math.max(l,Math.abs(h)):l,0);i.scale=a||1,s.fill(i,rt(i),{},o,null),s.tiles.forEach((l,h)=>{let d=l.node.getAttribute("aria-label")??"";l.node.setAttribute("aria-label",d.replace(" Enter locks.",t.chooses?" Enter chooses the cell.":"")),this.foot(l,i,r,h);let{rows:m,columns:p}=l.grid,u=t.held&&l.room?l.room:{rows:m,columns:p};l.room={rows:Math.max(m,u.rows),columns:Math.max(p,u.columns)}})}),this.layOut(),this.uncover()}uncover(){let{chosen:t}=this.data,e=this.uncovered;if(this.uncovered=`${t}`,!t||!e||this.uncovered===e)return;let{node:o}=this.groups[t[0]].tiles[t[1]];o.classList.add("uncovered"),o.scrollIntoView({block:"nearest",behavior:V()?"auto":"smooth"}),o.classList.remove("uncovered")}foot(t,e,o,s){let r=this.data.notes[o]?.[s],i=JSON.stringify([r,this.data.opens,e.name,e.title]),a=t.node.querySelector(":scope > .foot");if(a?.dataset.key===i)return;a?.remove();let l=c("div","foot small");l.dataset.key=i;let h=r?.text?c("span","term",r.text,{tabIndex:0,role:"button"}):null;if(h?.setAttribute("aria-description",r.help),r&&l.append(c("div","role-of",h)),this.data.opens){let d={title:"Open this head in Step through",ariaLabel:`Open in Step through: ${e.title}, head ${s+1}`};l.append(v("small-button","Open",()=>this.tell("open",[e.name,s]),d))}l.children.length&&t.node.append(l)}room(){let t=this.box.clientWidth;return t===this.before&&t>this.width&&t<this.width+up?this.width:t}layOut(){if([this.before,this.width]=[this.width,this.room()],!this.width)return;let t=N(this.root);for(let e of this.groups)Je(e,this.width,this.width<pp?mp:dp,t);this.light()}below({clientX:t,clientY:e}){for(let[o,{tiles:s}]of this.groups.entries())for(let[r,i]of s.entries()){let a=Dt(i,t,e);if(a)return{group:o,tile:r,...a};let l=i.layer.getBoundingClientRect(),h=Dt(i,l.left+i.box.gutter+1,e);if(h&&t>=l.left&&t<l.left+i.box.gutter)return{group:o,tile:r,row:h.row,column:null}}return null}point(t){this.at=t,this.light()}light(){let{at:t,data:e}=this,o=t&&this.groups[t.group].tensor.rows;this.groups.forEach((s,r)=>{let{rows:i}=s.tensor,a=o&&i.axis===o.axis&&t.row<i.count?t.row:null;s.tiles.forEach((l,h)=>{let d=[],m=(u,f,g,w=1)=>d.push({name:u,rows:[f,f+1],columns:[g,g+w]});a!==null&&m("row",a,0,l.grid.columns);let{chosen:p}=e;p&&p[0]===r&&p[1]===h&&m("chosen",p[2],p[3]),t&&t.group===r&&t.tile===h&&t.column!==null&&m("cell",t.row,t.column),l.box&&$t(l,d)})}),k(this.announcement,t?this.words(t):"")}words({group:t,tile:e,row:o,column:s}){let{tensor:r,tiles:i}=this.groups[t],{grid:a}=i[e],[l,h,d]=this.data.words,m=[r.title,a.title,ht(l,a.row,o)].filter(Boolean).join(", ");return s===null?m:`${m}, ${ht(h,a.column,s)}: ${d} ${wt(a,o*a.columns+s)}`}choose(t){!this.data.chooses||!t||t.column===null||this.tell("pair",[this.data.tensors[t.group].name,t.tile,t.row,t.column])}enter(t){for(let[e,{tiles:o}]of this.groups.entries()){let s=o.findIndex(h=>h.node===t);if(s<0)continue;let{grid:r,node:i}=o[s],{row:a,column:l}=this.cursors.get(i)??{row:0,column:0};this.point({group:e,tile:s,row:Math.min(a,r.rows-1),column:Math.min(l,r.columns-1)})}}press(t){let{at:e}=this,o=e&&this.groups[e.group].tiles[e.tile];if(!o||o.node!==t.target||e.column===null)return;if(t.key==="Enter")return this.choose(e);let s=Fe[t.key];if(!s||t.ctrlKey||t.metaKey||t.altKey)return;U(t);let r=(a,l)=>Math.max(0,Math.min(l-1,a)),i={row:r(e.row+s[0],o.grid.rows),column:r(e.column+s[1],o.grid.columns)};this.cursors.set(o.node,i),ee(o,i.row,i.column),this.point({...e,...i})}}});var Fl={};x(Fl,{asNumpy:()=>hr,asText:()=>cr,copy:()=>dr,tableCell:()=>eo,tables:()=>ar,tint:()=>lr});function ar(n){return n.flatMap(t=>t.grids.map(e=>{let o=[t.tensor.title,e.title,t.note].filter(Boolean).join(", "),s=[e.row.axis&&`${e.row.axis} ↓`,e.column.axis&&`${e.column.axis} →`].filter(Boolean).join(" "),r=(l,h)=>Array.from({length:h},(d,m)=>tt(l,m)),i=Array.from({length:e.rows},(l,h)=>Array.from({length:e.columns},(d,m)=>{let p=h*e.columns+m;return c("td",e.hidden?.[p]||e.values[p]===-1/0?"hidden":"",fo(e,p))})),a=se(o,i,{rows:r(e.row,e.rows),columns:r(e.column,e.columns),caption:o,corner:s});return e.marked!==null&&a.querySelector("tbody")?.rows[e.marked].classList.add("marked"),Object.assign(a,{grid:e})}))}function lr(n,t){for(let o of n.querySelectorAll(`.${ir}`))o.classList.remove(ir);let e=n.querySelector("tbody")?.rows??[];for(let o of t.filter(({name:s})=>s!=="cross"))for(let s=Math.max(0,o.rows[0]);s<Math.min(e.length,o.rows[1]);s++){let r=e[s].cells;for(let i=Math.max(0,o.columns[0]);i<Math.min(r.length-1,o.columns[1]);i++)r[i+1].classList.add(ir)}}function eo(n){let t=n instanceof Element?n.closest("tbody td"):null;return t&&{row:t.parentNode.sectionRowIndex,column:t.cellIndex-1}}function cr(n,t){return t.map(e=>{let o=["",...Array.from({length:e.columns},(r,i)=>tt(e.column,i))].join("	"),s=Array.from({length:e.rows},(r,i)=>{let a=_l(e,i).map(l=>e.whole?String(l):I(l));return[tt(e.row,i),...a].join("	")});return[[n.title,e.title].filter(Boolean).join(", "),o,...s].join(`
`)}).join(`

`)}function hr(n,t){let e=n.kind==="mask"?"bool":n.whole?"int64":"float32",o=l=>e==="bool"?l?"True":"False":l===-1/0?"-np.inf":gp(l),s=(l,h)=>`[${Array.from({length:l.rows},(m,p)=>`[${_l(l,p).map(o).join(", ")}]`).join(`,
${h} `)}]`,r=n.heads?`[${t.map(l=>s(l,"           ")).join(`,
          `)}]`:s(t[0],"          "),i=n.heads?me("heads",{first:t[0].head,count:t.length,size:n.heads.size},1):"";return`# ${[n.name,i,me("columns",n.columns,0)].filter(Boolean).join(", ")}
np.array(${r}, dtype=np.${e==="bool"?"bool_":e})
`}function _l(n,t){return Array.from(n.values.subarray(t*n.columns,(t+1)*n.columns))}function gp(n){for(let t=6;t<9;t++){let e=String(Number(n.toPrecision(t)));if(Math.fround(Number(e))===n)return e}return String(Number(n.toPrecision(9)))}async function dr(n,t){try{return await navigator.clipboard.writeText(n),"Copied."}catch{return t.value=n,t.hidden=!1,t.focus(),t.select(),"Press Ctrl+C to copy."}}var ir,no=b(()=>{C();Ze();ir="chosen"});var ql={};x(ql,{Marks:()=>un});function mr({tensor:n,head:t,slope:e}){return`${n.index} ${t} ${e}`}var bp,wp,yp,un,pr=b(()=>{no();Bt();[bp,wp,yp]=[1,2,3],un=class{regions=new Map;clear(){this.regions.clear()}cross({grid:t,row:e,column:o},s){let[r,i]=[[e,e+1],[o,o+1]];s||(this.add(t,{name:"cross",rows:r,columns:[0,t.columns]}),this.add(t,{name:"cross",rows:[0,t.rows],columns:i})),this.add(t,{name:s?"cell faint":"cell",rows:r,columns:i})}source({tensor:t,grids:e},o){let s=(m,p)=>o[t.axes.indexOf(m)]??[0,p],[r,i]=s(bp,1/0),a=s(wp,t.rows.count),[l,h]=s(yp,t.columns.size).map(m=>m-t.columns.first),d=[Math.max(0,l),Math.min(t.columns.count,h)];if(!(d[0]>=d[1]))for(let m of e)!m.slope&&m.head>=r&&m.head<i&&this.add(m,{name:"source",rows:a,columns:d})}add(t,e){let o=mr(t);this.regions.set(o,[...this.regions.get(o)??[],e])}paintTables(t){for(let e of t)lr(e,this.regions.get(mr(e.grid))??[])}paintTiles(t,e){for(let o of t)for(let s of o.tiles){let r=this.regions.get(mr(s.grid))??[],i=r.find(({name:a})=>a==="source");i&&e!==o.tensor.index&&ee(s,i.rows[0],i.columns[0]),$t(s,r),s.marks.classList.toggle("veiled",r.length===1&&r[0].name==="source")}}}});var Vl,Kl=b(()=>{Vl=`/* Matrices of a lesson stand beside each other where there is room. */
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
`});var Xl={};x(Xl,{default:()=>Tp});function Tp({data:n,parentElement:t}){Nt(t,[G,E,Gn,Ce,Vl]);let{tensors:e,labels:o,styles:s}=W(n),r=N(t);t.querySelector(".matrices").replaceChildren(...e.map((a,l)=>Lp(a,o,s[l],r)))}function Lp(n,t,{digits:e,names:o,letter:s},r){let{rows:i,columns:a,heads:l}=n,h=c("figcaption","",c("b","",n.title)," ",c("span","shape small soft",Jl(n,s))),d=Array.from({length:l?.count??1},(m,p)=>{let u=o[p]?c("div","small soft",o[p]):null,f=i.count*a.count<=kp?Cp(n,p,{digits:e,names:o},t,r):Le(n,r,{head:p,long:vp,most:n.scale,label:`${n.title}, ${Jl(n,s)}, as a picture`});return c("div","",u,f)});return c("figure","",h,c("div","heads wrap",...d))}function Jl({rows:n,columns:t,heads:e},o){let s=[...e?[{axis:o,count:e.count}]:[],n,t],r=s.filter(({axis:l})=>l),i=r.length&&s.every(({axis:l,count:h})=>l||h===1),a=(l,h)=>l.map(({count:d})=>d).join(h);return i?`(${r.map(({axis:l})=>l).join(", ")}) = (${a(r,", ")})`:a(s," × ")}function Cp(n,t,{digits:e,names:o},s,r){let{rows:i,columns:a,values:l,kind:h,title:d}=n,m=t*i.count*a.count,p={kind:h,coloured:!0,most:n.scale||1},u=Array.from({length:i.count},(g,w)=>Array.from({length:a.count},(S,A)=>{let y=l[m+w*a.count+A],M=c("td","",Sp(y,h,e)),T=On(p,y,r);return M.style.background=j(Array.from(T)),M.style.color=Ge(T),M})),f=[d,o[t],"table"].filter(Boolean).join(", ");return se(f,u,{rows:s[i.labels]?.names,columns:s[a.labels]?.names})}function Sp(n,t,e){if(Number.isNaN(n))return"nan";if(n===-1/0)return"−∞";if(t==="mask")return n?"1":"0";let o=n.toFixed(e);return(Number(o)===0?o.replace("-",""):o).replace("-","−")}var kp,vp,Yl=b(()=>{At();P();ps();Un();Kl();J();Y();St();C();Ze();jn();kp=160,vp=320});var Ql={};x(Ql,{default:()=>Ep,statement:()=>oo});function Mp(n,t){let e=c("span","line");return e.dataset.number=String(n),e.innerHTML=t||"​",e.style.setProperty("--in",String(e.textContent.search(/\S|$/)+2)),e}var ie,oo,Ep,ur,fr=b(()=>{J();vt();R();C();ie=!1,oo=new kt,Ep=L(nt,n=>new ur(n),()=>{}),ur=class{lines=c("code","lines");box=c("div","box",this.lines,{tabIndex:0,role:"region"});where=c("span","where");name=c("span","name cut");all=v("small-button","Show all",()=>{ie=!ie,this.arrange(!1)});figure=c("figure","statement",this.box,c("figcaption","",this.where,this.name,this.all));content="";rows=[];lit=[];observer=new ResizeObserver(()=>this.arrange(!1));unwatch;constructor(t){t.append(this.figure),this.observer.observe(this.lines),this.unwatch=oo.watch(e=>e&&this.draw(e))}close(){this.observer.disconnect(),this.unwatch(),this.figure.remove()}draw({html:t,first:e,lit:o,where:s,function:r}){let i=`${e}:${t}`,a=this.content===i;a||(this.content=i,this.rows=t.split(`
`).map((l,h)=>Mp(e+h,l)),this.lines.replaceChildren(...this.rows),this.box.ariaLabel=`Source of ${r||"the statement"}`),this.lit=this.rows.slice(Math.max(0,o[0]-e),o[1]-e+1);for(let l of this.rows){let h=this.lit.includes(l);l.classList.toggle("lit",h),l.classList.toggle("begin",l===this.lit[0]),l.ariaCurrent=h?"true":null}this.where.textContent=s,this.name.textContent=r,this.arrange(a)}arrange(t){let{box:e,all:o,lit:s}=this;if(e.classList.toggle("whole",ie),o.textContent=ie?"Show less":"Show all",o.ariaExpanded=String(ie),o.classList.toggle("unused",!ie&&e.scrollHeight<=e.clientHeight+1),ie||!s.length)return;let[r,i]=[s[0].offsetTop,s[s.length-1]],a=i.offsetTop+i.offsetHeight-r,l=Math.max(0,(e.clientHeight-a)/2);e.scrollTo({top:r-l,behavior:t&&!V()?"smooth":"auto"})}}});var so,gr=b(()=>{so=`.tensors {
  container-type: inline-size;
  display: flex;
  flex-direction: column;
  font-size: 0.875rem;
  gap: 8px;
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
  font-size: 0.8rem;
}
.note,
.range {
  font-size: 0.8rem;
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
  font-size: 0.75rem;
  gap: 4px 20px;
  min-height: 2rem;
}
.item {
  align-items: flex-start;
  display: flex;
  gap: 6px;
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
  font-size: 0.8rem;
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
  font: 0.75rem/1.5 var(--st-code-font, monospace);
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
`});var tc={};x(tc,{Tensors:()=>io,default:()=>Pp});function br(n,t){return!n||!t?!1:["tensor","head","row","column","slope"].every(e=>n[e]===t[e])}var Ap,Rp,ro,Zl,Op,Hp,Np,zp,Pp,io,ec=b(()=>{P();xe();gr();Un();Xs();Y();Ys();or();ne();cn();K();oe();Qn();sr();pr();St();er();mt();fr();no();Bt();R();C();Ap=24,Rp=24,ro=144,Zl=640,Op=150,Hp=1500,Np=2500,zp="Point at a cell of the output to see how it was computed. Click to keep it.",Pp=L([E,pt,Ce,so],n=>new io(n),(n,t)=>{n.report=o=>t.setStateValue("look",{...o,at:Date.now()}),n.missed=o=>t.setTriggerValue("gone",o);let e=W(t.data);n.show(e),_s(n,e.way,t)}),io=class{host;root;nodes;result;expression;observer=new ResizeObserver(()=>this.room()!==this.width&&this.layout());settling=new ResizeObserver(()=>this.height!==this.below(this.nodes.sides,"top")&&this.layout({held:!1}));missing="";given=[];groups=[];frames=[];looks=new pn;marks=new un;pointed=null;shownHead=null;asker=Vs();data;output;theme;width=0;before=0;height=0;heldBy="";playing=null;made=null;report;missed;closing=new AbortController;leaving=0;asking=0;saying=0;constructor(t){this.host=t.host??t,this.root=t.querySelector(".tensors"),this.nodes=nr(this.root,{table:()=>this.change({table:!this.look.table}),compute:()=>this.compute(),text:()=>this.copy(cr),numpy:()=>this.copy(hr),all:()=>this.change({head:null})}),this.result=new _(this.nodes.outputs),this.expression=new dn(this.nodes.panel,()=>this.unfolded()),this.expression.hint=zp,this.listen(),this.observer.observe(this.root);let e=this.closing.signal;document.fonts.status!=="loaded"&&document.fonts.ready.then(()=>e.aborted||this.layout());let o=this.host;for(;o&&!o.matches(et);o=o.parentElement)this.settling.observe(o);for(let s of["pointerdown","keydown"])document.addEventListener(s,()=>this.settling.disconnect(),{signal:e,capture:!0,once:!0});this.watchSharpness()}listen(){let t=this.closing.signal,e=(o,s,r,i={})=>{for(let a of s)o.addEventListener(a,r,{signal:t,...i})};for(let o of[this.nodes.inputs,this.nodes.outputs,this.nodes.tables])e(o,["pointermove","pointerdown"],s=>this.point(this.cellOf(s))),e(o,["pointerleave"],s=>s.pointerType!=="touch"&&this.point(null)),e(o,["click"],s=>this.toggle(this.cellOf(s)));for(let o of[this.nodes.inputs,this.nodes.outputs])e(o,["pointerdown"],s=>s.target.closest('[tabindex="0"]')?.focus({preventScroll:!0})),e(o,["focusout"],s=>this.nodes.sides.contains(s.relatedTarget)||this.point(null)),e(o,["keydown"],s=>this.press(s)),e(o,["dblclick"],s=>this.solo(this.tileOf(s.target,"node")?.grid.head)),e(o,["scroll"],s=>this.scrolled(s.target),{capture:!0,passive:!0});e(document,["keydown"],o=>this.key(o)),e(document,["pointerdown"],o=>this.outside(o)),e(this.nodes.clipboard,["blur"],()=>this.nodes.clipboard.hidden=!0)}close(){Fs(this),this.root.replaceChildren(),this.closing.abort(),this.stop(),this.observer.disconnect(),this.settling.disconnect()}watchSharpness(){let t=matchMedia(`(resolution: ${devicePixelRatio}dppx)`),e=()=>{this.layout(),this.watchSharpness()};t.addEventListener("change",e,{once:!0,signal:this.closing.signal})}show(t){let e=t.operation!==this.data?.operation;this.stop(),this.data=t,this.looks.adopt(t.look,e);let o=N(this.host),s=JSON.stringify(o)!==JSON.stringify(this.theme);this.theme=o,e&&(this.pointed=null,this.shownHead=null),this.asker.forget(),(e||s)&&this.expression.expect(t.parameters,this.theme),this.compose(),oo.set(this,t.statement),t.problem&&this.say(t.problem)}get look(){return this.looks.now}change(t){this.stop(),this.report(this.looks.change(t)),this.compose()}compose(){let{tensors:t}=this.data,e=t.find(i=>i.output);if(!e)throw new Error("An operation has an output.");this.output=e;let o=i=>{if(!i.heads)return[0];let a=rt(i);return!i.output&&e.heads?[this.head()]:this.look.head!==null&&a.includes(this.look.head)?[this.look.head]:a};for(;this.given.length<t.length-1;)this.given.push(new _(this.nodes.inputs));for(;this.given.length>t.length-1;)this.given.pop()?.remove();this.groups=[...this.given,this.result],this.groups.forEach((i,a)=>this.fill(i,t[a],o(t[a])));let s=this.groups.flatMap(i=>i.grids),r=s.filter(i=>!i.slope);this.nodes.legend.replaceChildren(...an(r,s.filter(i=>i.slope),this.theme)),this.nodes.arrow.hidden=t.length===1,this.root.classList.toggle("as-table",this.look.table),mn(this.nodes.tableButton,this.look.table?"Show as heatmap":"Show as table"),this.nodes.allButton.classList.toggle("unused",this.look.head===null||!e.heads),this.nodes.playButton.disabled=this.look.table,this.frames=this.look.table?ar(this.groups):[],this.nodes.tables.replaceChildren(...this.frames),this.layout()}fill(t,e,o){let s=r=>this.change({...r,cell:null,..."heads"in r&&{head:null}});t.fill(e,o,{...this.data.fold,go:s},this.theme,e.output?this.made:null)}head(){let{first:t,count:e}=this.output.heads??{first:0,count:1},o=i=>i!=null&&i>=t&&i<t+e,s=this.pointed?.tensor===this.output.index?this.pointed.head:null;return[this.look.head,this.locked()?.head,s,this.shownHead].find(o)??t}showInputs(){if(!this.output.heads)return;let t=this.head();this.shownHead=t;for(let e of this.groups){let{tensor:o}=e;if(!(o.output||!o.heads||e.grids[0].head===t)){this.fill(e,o,[t]);for(let s of e.tiles)Mt(s,this.theme),Z(s,this.theme);this.look.table&&this.compose()}}}room(){let t=this.root.clientWidth;return t===this.before&&t>this.width&&t<this.width+Ap?this.width:t}layout({held:t=!0}={}){let e=this.room();if(e!==this.width&&([this.before,this.width]=[this.width,e]),!this.width||!this.data)return;this.theme=N(this.host);let{nodes:o,given:s,result:r,data:i,theme:a}=this;this.height=this.below(o.sides,"top");let l=this.held()&&t;this.look.table||rs(o,s,r,this.width,this.rooms(),l,i.most,a),this.fitExpression(),this.light()}below(t,e){return innerHeight-t.getBoundingClientRect()[e]-(this.host.closest(et)?.scrollTop??0)-Rp}unfolded(){this.layout(),innerWidth<=Zl&&!this.expression.folded&&this.nodes.panel.scrollIntoView({block:"nearest"})}rooms(){let t=this.height-this.nodes.legend.offsetHeight,e=this.expression.folded?ro/4:ro;return[t-e,t-ro/4]}held(){let t=JSON.stringify([this.data.operation,this.data.reads,this.width,innerHeight,this.theme,{...this.look,cell:null}]),e=t===this.heldBy;return this.heldBy=t,e}fitExpression(){let t=document.documentElement.hasAttribute("data-present"),e=Math.floor(this.below(this.nodes.legend,"bottom")),{style:o}=this.nodes.panel,s=t?parseFloat(getComputedStyle(this.nodes.panel).minHeight):ro,r=e>=s?`${e}px`:"";o.setProperty("--expression-most",t?r||"none":""),o.setProperty("--expression-height",t||innerWidth<=Zl?"":r)}scrolled(t){let e=this.tileOf(t,"scroller");e?.viewport&&(Z(e,this.theme),$t(e,e.lit))}tileOf(t,e="layer"){return this.groups.flatMap(({tiles:o})=>o).find(o=>o[e].contains(t))}cellOf(t){let e=this.tileOf(t.target),o=e?Dt(e,t.clientX,t.clientY):eo(t.target),s=e??t.target.closest(".matrix");return s&&o?this.absolute(s.grid,o):null}absolute(t,{row:e,column:o}){let{tensor:s,head:r,slope:i}=t;return{tensor:s.index,head:r,row:e,column:o+s.columns.first,slope:i}}find(t){let e=this.groups[t.tensor],o=e?e.grids.findIndex(i=>i.head===t.head&&i.slope===t.slope):-1;if(o<0)return null;let s=e.grids[o],r=t.column-s.tensor.columns.first;return r<0||r>=s.columns||t.row>=s.rows?null:{tile:e.tiles[o],grid:s,row:t.row,column:r}}locked(){let{cell:t}=this.look;if(!t)return null;let[e,o,s=0]=[...t].reverse();return{tensor:this.output.index,head:s,row:o,column:e,slope:!1}}point(t){this.playing||(clearTimeout(this.leaving),!t&&this.pointed?this.leaving=setTimeout(()=>{this.pointed=null,this.light()},Op):t&&!br(t,this.pointed)&&(this.pointed=t,this.light()))}toggle(t){if(this.playing)return this.stop();if(!t)return;if(t.tensor!==this.output.index)return this.unlock();if(br({...t,slope:!1},this.locked()))return this.unlock();let e=[t.row,t.column];this.change({cell:this.output.heads?[t.head,...e]:e})}unlock(){this.look.cell&&this.change({cell:null})}outside(t){let e=t.composedPath();if(e.includes(this.nodes.sides)&&this.tileOf(e[0])||e.includes(this.nodes.tables)&&eo(e[0]))return;e.includes(this.root)||this.point(null);let o="button, a, input, textarea, select, label, summary, [role=button], [role=slider], [role=listbox], [role=option], [role=combobox], [role=tab], [data-part], .expression, .scroller";e.some(s=>s instanceof Element&&s.matches(o))||this.unlock()}solo(t){!this.output.heads||t===void 0||(getSelection()?.removeAllRanges(),this.alone(this.look.head===t?null:t))}alone(t){let{cell:e}=this.look;this.change({head:t,cell:e&&t!==null?[t,...e.slice(1)]:e})}press(t){let e=this.tileOf(t.target,"node");if(!e||t.ctrlKey||t.altKey||t.metaKey)return;let{grid:o}=e,s=Fe[t.key],r=[this.pointed,this.locked()].find(m=>m&&this.find(m)?.tile===e);if(t.key==="Enter"&&r)return U(t),this.pointed=r,this.toggle(r);if(!s)return;U(t);let i=r??[this.locked(),this.pointed].find(m=>m?.tensor===o.tensor.index),a=i&&this.find({...i,head:o.head,slope:o.slope})||{row:0-s[0],column:0-s[1]},l=Math.min(Math.max(a.row+s[0],0),o.rows-1),h=Math.min(Math.max(a.column+s[1],0),o.columns-1);ee(e,l,h);let d=this.absolute(o,{row:l,column:h});if(this.look.cell&&d.tensor===this.output.index&&!d.slope)return this.pointed=d,this.change({cell:this.output.heads?[d.head,d.row,d.column]:[d.row,d.column]});this.point(d)}key(t){if(!(!this.data||!q(t))){if(t.key==="Escape")if(this.playing)this.stop();else if(this.look.cell)this.unlock();else return this.point(null);else if(t.key==="t")this.change({table:!this.look.table});else if(t.key==="p")this.compute();else if(t.key==="e")this.expression.fold(!this.expression.folded);else if(t.key==="0")this.look.head!==null&&this.change({head:null});else if(t.key>="1"&&t.key<="9"&&t.key.length===1){let e=Number(t.key)-1;this.output.heads&&e<this.output.heads.size&&this.look.head!==e&&this.alone(e)}else return;t.preventDefault()}}light(){if(this.playing)return;let t=this.locked(),e=t||this.pointed?null:this.example(),o=t??this.pointed??e;this.showInputs();let s=o&&this.find(o);this.marks.clear();let r=this.pointed&&t&&!br(this.pointed,t)&&this.find(this.pointed);if(r&&this.marks.cross(r,!0),!o||!s&&!t)return this.asker.forget(),this.paint(),this.expression.clear();s&&this.marks.cross(s,!1),this.paint();let i=this.whereOf(o),a=s?wt(s.grid,s.row*s.grid.columns+s.column):"",l=this.output.slopes?"Example of the forward pass":"Example";if(this.expression.point(e?`${l}: ${i}`:i,a,!!t,()=>this.unlock()),o.tensor!==this.output.index||o.slope)return this.asker.forget(),this.expression.bare(`${i} = ${a}`);this.asker.ask(this.question(o),h=>this.answered(o,h,!e))}example(){let t=r=>!r.slope&&(!this.output.heads||r.head===this.head()),e=this.result.grids.find(t)??this.result.grids[0],o=e.marked??0;if(o>=e.rows)return null;let s=0;for(let r=1;r<e.columns&&e.kind==="probability";r++)e.values[o*e.columns+r]>e.values[o*e.columns+s]&&(s=r);return this.absolute(e,{row:o,column:s})}answered(t,e,o){if(e.gone)return this.again();if(this.playing)return;this.sources(e);let s=this.find(t),r=s?.grid.values[s.row*s.grid.columns+s.column];this.expression.tell(e,o?this.inWords(t):"",r)}sources(t){for(let{tensor:e,region:o}of t.reads??[]){let s=this.given.find(r=>r.tensor.name===e);s&&this.marks.source(s,o)}this.paint()}paint(){this.marks.paintTables(this.frames),this.look.table||this.marks.paintTiles(this.groups,this.pointed?.tensor)}again(){let{walk:t}=this.data;this.missed(t),clearTimeout(this.asking),this.missing!==t&&(this.missing=t,this.asking=setTimeout(()=>this.data.walk===t&&this.light(),Hp))}question(t){let e=[0,t.head,t.row,t.column];return Js(this.data,this.output.axes.map(o=>e[o]))}whereOf(t){let e=this.data.tensors[t.tensor];return[t.slope?`dL/d ${e.title}`:e.title,e.heads&&`head ${t.head+1}`,ht("row",e.rows,t.row-e.rows.first),ht("column",e.columns,t.column-e.columns.first)].filter(Boolean).join(" · ")}inWords(t){return this.whereOf(t).replaceAll(" · ",", ")}async copy(t){let[e,o]=[!1,!0].map(r=>this.result.grids.filter(i=>i.slope===r)),s=[t(this.output,e)];o.length&&s.push(`# gradient of the loss
${t({...this.output,kind:"signed",whole:!1},o)}`),this.say(await dr(s.join(`

`),this.nodes.clipboard))}say(t){this.nodes.announcement.textContent=t,clearTimeout(this.saying),this.saying=setTimeout(()=>this.nodes.announcement.textContent="",Np)}compute(){if(this.playing)return this.stop();if(this.look.table)return;let t=this.absolute(this.result.grids[0],{row:0,column:0}),e=this.pointed?.tensor===this.output.index?{...this.pointed,slope:!1}:null,o=[this.locked(),e,t].find(s=>s&&this.find(s));o&&this.asker.ask(this.question(o),async s=>{if(s.gone)return this.again();if(s.problem)return this.say(s.problem);let r=this.playing=new AbortController;mn(this.nodes.playButton,"Stop"),await tr(Zs(this,o),o,s,r.signal),this.playing===r&&this.stop()})}stop(){this.playing&&(this.playing.abort(),this.playing=null,this.made=null,this.nodes.announcement.textContent="",mn(this.nodes.playButton,"Compute slowly"),this.expression.grown(),this.repaint(),this.light())}repaint(){this.result.paint(this.theme,this.made);for(let t of this.result.tiles)t.viewport&&Z(t,this.theme)}}});var nc={};x(nc,{default:()=>Ip});var Ip,wr,oc=b(()=>{P();R();C();Ip=L([E],n=>new wr(n),(n,{data:t,setTriggerValue:e})=>{n.most=t.most,n.send=o=>e("file",o)}),wr=class{most=0;send=()=>{};constructor(t){let e=Ft(".txt,text/plain",([o])=>o&&this.read(o));e.ariaLabel="Text file",t.querySelector(".text-file")?.append(v("","Use a .txt file",()=>e.click()),e)}close(){}read(t){if(t.size>this.most)return this.send({size:t.size,content:""});let e=new FileReader;e.addEventListener("load",()=>{let[,o=""]=String(e.result).split(",",2);this.send({size:t.size,content:o})}),e.readAsDataURL(t)}}});var sc={};x(sc,{default:()=>Bp});function Wp(n){let t=v("small-button","",()=>a());t.innerHTML='<svg viewBox="0 0 20 14" aria-hidden="true"><rect x=".7" y=".7" width="18.6" height="12.6" rx="2"/><path d="M4 4.4h.1M7 4.4h.1M10 4.4h.1M13 4.4h.1M16 4.4h.1M4 7.2h.1M7 7.2h.1M10 7.2h.1M13 7.2h.1M16 7.2h.1M6 10.2h8"/></svg>Keys',Object.assign(t,{ariaHasPopup:"dialog",ariaKeyShortcuts:"?",title:"Keyboard shortcuts of this page (?)"});let e=c("dialog","keys",{ariaLabel:"Keys"});n.append(t,e);let o=c("input","",{type:"checkbox"});o.addEventListener("change",()=>go(o.checked));let s=c("small","",Dp,{id:"scope"});o.setAttribute("aria-describedby",s.id);let r=c("p","letters wrap",c("label","",o,"Single-letter shortcuts"),s),i=()=>o.checked=bn(),a=()=>{i(),e.open||e.showModal()};e.addEventListener("click",h=>{let{left:d,right:m,top:p,bottom:u}=e.getBoundingClientRect(),f=h.clientX>=d&&h.clientX<=m&&h.clientY>=p&&h.clientY<=u;(h.target===e&&!f||h.target.closest(".close"))&&e.close()}),e.addEventListener("keydown",h=>{e.open&&(h.stopPropagation(),h.key==="?"&&bn()&&e.close())});let l={open:a,tick:i,fill:h=>Gp(e,h,r),close(){ae===l&&(ae=null),t.remove(),e.remove()}};return l}function Gp(n,t,e){let o=JSON.stringify(t);if(n.dataset.shown===o)return;n.dataset.shown=o;let s=t.map(({title:i,rows:a})=>{let l=a.flatMap(([h,d])=>[c("dt","wrap",...h.map(m=>c("kbd","",m))),c("dd","",d)]);return c("section","",c("h3","",i),c("dl","",...l))}),r=c("button","close","×",{ariaLabel:"Close"});n.replaceChildren(c("header","",c("h2","","Keys"),r),e,c("div","columns",...s))}var Dp,ae,Bp,rc=b(()=>{J();K();R();C();Dp="Turns shortcuts with letters, digits and punctuation on or off. Arrow keys and Esc always work.",ae=null;bo(()=>ae?.tick());document.addEventListener("keydown",n=>{n.key!=="?"||!ae||!q(n)||(n.preventDefault(),ae.open())});Bp=L(nt,Wp,(n,{data:t})=>{ae=n,ae.fill(t)})});var ic=mo(()=>{window.__streamlit={BACKEND_BASE_URL:new URL("./",document.baseURI).href};{let n="(prefers-color-scheme: dark)",t="playground theme",e=matchMedia.bind(window),o=e(n),r=(()=>{try{return localStorage.getItem(t)??""}catch{return""}})();class i extends EventTarget{media=n;get matches(){return r?r==="dark":o.matches}}let a=new i,l=()=>{document.documentElement.style.colorScheme=a.matches?"dark":"light",a.dispatchEvent(Object.assign(new Event("change"),{matches:a.matches,media:n}))};o.addEventListener("change",()=>r||l()),window.matchMedia=h=>h===n?a:e(h),window.playgroundTheme={chosen:()=>r,choose(h){r=h;try{h?localStorage.setItem(t,h):localStorage.removeItem(t)}catch{}l()}},l()}addEventListener("DOMContentLoaded",()=>{let n=document.getElementById("soon");n&&document.head.append(n.content)})});var lc={};x(lc,{default:()=>Up});function kr(n){return(n.nodes??[]).flatMap(t=>t.nodes?[t,...kr(t)]:[])}function yr(n){if(n.off)return;let t=n.nodes?ac(n).find(e=>!e.off):n;t&&Ot({name:t.name})}function ac(n){return n.nodes?ao(n).flatMap(ac):[n]}function ao({list:n,nodes:t=[]}){return[...n?.children??[]].flatMap(e=>t.find(o=>o.item===e)??[])}var jp,lt,Up,xr,cc=b(()=>{J();K();cn();vt();R();C();jp=640,lt={all:!1,shut:null},Up=L(nt,n=>new xr(n),(n,{data:t})=>n.show(t)),xr=class{root;total=c("span","soft");title=v("title","All operations ",()=>{lt.shut=!lt.shut,this.draw(),this.reveal()});all=v("small-button","Unfold all",()=>{lt.all=!lt.all;for(let t of kr(this.top))t.open=null;this.draw(),this.reveal()});tree=c("ul","tree",{role:"tree",ariaLabel:"All operations of this pass"});box=c("section","outline",c("header","",this.title,this.all),this.tree);top={depth:0,list:this.tree,nodes:[]};leaves=new Map;byItem=new WeakMap;planted="";lit=null;within=new Set;backward=null;stop=null;unwatch=()=>{};constructor(t){this.root=t,lt.shut??=innerWidth<jp,this.title.append(this.total),t.append(this.box),this.tree.addEventListener("click",e=>{let o=e.target,s=o.closest("[role=treeitem]"),r=s&&this.byItem.get(s);r&&(this.setStop(r),o.closest(".chevron")?this.toggle(r):yr(r))}),this.tree.addEventListener("keydown",e=>this.press(e))}close(){this.unwatch(),fe.set(this,null),this.box.remove()}show(t){let e=JSON.stringify(t);this.planted!==e&&this.plant(t),this.planted=e,this.unwatch(),this.unwatch=ot.watch(o=>this.light(o)),fe.set(this,o=>{let s=this.leaves.get(o);return s?ao(s.parent).filter(r=>!r.nodes&&!r.off):[]})}plant({parts:t,colours:e}){this.leaves.clear();let o=(s,{label:r,name:i,parts:a,letter:l,role:h})=>{let d=c("div","row",c("span","chevron"),c("span","label",r)),m=s.depth+1,p=c("li","",d,{role:"treeitem",ariaLabel:r,ariaLevel:String(m),tabIndex:-1}),u={label:r,name:i,parent:s,item:p,row:d,depth:m,open:null};if(p.style.setProperty("--depth",String(m-1)),this.byItem.set(p,u),a)u.list=c("ul","",{role:"group"}),u.nodes=a.map(f=>o(u,f)),u.list.append(...u.nodes.map(f=>f.item)),p.append(u.list);else if(u.at=this.leaves.size,this.leaves.set(i,u),l){let f=c("span","letter",l,{ariaHidden:"true"});f.style.background=h?e[h]:"",d.append(f)}return u};this.top.nodes=t.map(s=>o(this.top,s)),this.lit=this.backward=null,this.tree.replaceChildren(...this.top.nodes.map(s=>s.item)),this.setStop(this.top.nodes[0]),this.draw()}isOpen(t){return t.open!==null?t.open:lt.all||t.nodes?.some(e=>e.nodes)||this.within.has(t)}light(t){let e=t?.lit?this.leaves.get(t.lit):null;if(this.turn(t?.without??null),this.lit===(e??null))return;let o=this.within;this.lit=e??null,this.within=new Set;for(let s=e?.parent;s?.parent;s=s.parent)this.within.add(s),s.open===!1&&!o.has(s)&&(s.open=null);this.draw(),e&&!this.tree.contains(this.root.activeElement??null)&&this.setStop(e),this.reveal()}turn(t){let e=JSON.stringify(t);if(this.backward===e)return;let o=({list:r,nodes:i=[]})=>{let a=i.map(l=>l.item);r?.append(...t?a.reverse():a),i.filter(l=>l.nodes).forEach(o)};o(this.top);let s=new Set(t);for(let r of this.leaves.values())r.off=r.at!==void 0&&s.has(r.at),r.item.ariaDisabled=r.off?"true":null;this.total.textContent=t?`${this.leaves.size-s.size}, backward`:String(this.leaves.size),this.backward=e,this.lit=void 0}draw(){this.box.classList.toggle("shut",!!lt.shut),this.title.ariaExpanded=String(!lt.shut),this.all.textContent=lt.all?"Fold to sublayers":"Unfold all",this.all.ariaPressed=String(lt.all);for(let t of kr(this.top))t.item.ariaExpanded=String(!!this.isOpen(t)),t.item.classList.toggle("within",this.within.has(t));for(let t of this.leaves.values())t.item.ariaCurrent=t===this.lit?"step":null;(!this.stop||!this.visible().includes(this.stop))&&this.setStop(this.lit??this.top.nodes[0])}reveal(){if(!this.lit||lt.shut)return;let{tree:t}=this,e=this.lit.row.getBoundingClientRect(),o=t.getBoundingClientRect(),s=Math.min(2.5*e.height,o.height/3);if(e.top>=o.top+s&&e.bottom<=o.bottom-s)return;let r=t.scrollTop+e.top-o.top-(o.height-e.height)/2;t.scrollTo({top:r,behavior:V()?"auto":"smooth"})}toggle(t){t.nodes&&(t.open=!this.isOpen(t),this.draw())}visible(t=this.top){return ao(t).flatMap(e=>[e,...e.nodes&&this.isOpen(e)?this.visible(e):[]])}setStop(t){this.stop&&(this.stop.item.tabIndex=-1),t.item.tabIndex=0,this.stop=t}press(t){let e=this.byItem.get(t.target);if(!e||t.ctrlKey||t.altKey||t.metaKey||t.shiftKey)return;let o=this.visible(),s=o.indexOf(e),r=e.nodes&&this.isOpen(e),i={ArrowDown:()=>o[s+1],ArrowUp:()=>o[s-1],Home:()=>o[0],End:()=>o[o.length-1],ArrowRight:()=>e.nodes&&!r?this.toggle(e):ao(e)[0],ArrowLeft:()=>r?this.toggle(e):e.parent.parent?e.parent:void 0,Enter:()=>yr(e)," ":()=>e.nodes?this.toggle(e):yr(e)};if(!Object.hasOwn(i,t.key))return;U(t);let a=i[t.key]();if(!a)return;this.setStop(a),a.item.focus({preventScroll:!0});let l=a.row.getBoundingClientRect(),h=this.tree.getBoundingClientRect();l.top<h.top&&(this.tree.scrollTop+=l.top-h.top),l.bottom>h.bottom&&(this.tree.scrollTop+=l.bottom-h.bottom)}}});var dc,hc=b(()=>{dc=`/* The table of runs that are compared. */
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
  font-size: 0.92em;
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
  font-size: 0.75rem;
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
  font-size: 0.9em;
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
  font-size: 0.9em;
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
@container (max-width: 640px) {
  .order {
    display: block;
    font-size: 0.9em;
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
    font-size: 0.78rem;
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
`});var mc={};x(mc,{default:()=>qp});function Kp({by:n,text:t,most:e},o){let s=(o?-1:1)*(e?-1:1);return(r,i)=>{let[a,l]=[r[n],i[n]];return a===null||l===null?+(a===null)-+(l===null):s*(t?String(a).localeCompare(String(l)):a-l)}}function Vp(n){return n!==0&&Math.abs(n)<.001?n.toExponential(1):n.toPrecision(3)}var _t,Fp,qp,vr,Tr,pc=b(()=>{P();hc();xt();Rt();R();C();_t=[{by:"name",title:"Run",text:!0},{by:"status",title:"Status",text:!0},{by:"steps",title:"Steps to solved",form:yt},{by:"seconds",title:"Optimizer seconds to solved",form:n=>n.toFixed(2)},{by:"exact",title:"Best exact match",form:H,most:!0},{by:"loss",title:"Latest loss",form:Vp},{by:"parameters",title:"Parameters",form:yt}],Fp={name:40,note:500},qp=L([E,dc],n=>new vr(n),(n,{data:t,setStateValue:e})=>{n.acts.adopt(t,o=>e("acts",o)),n.data=t,n.listen(),n.draw()}),vr=class{data;lines=new Map;live=new Map;groups=new Map;open=null;acts=new D;frame=0;heads=_t.map(({by:t,title:e,text:o})=>c("th",o?"":"number",v("sort",e,()=>this.act("sort","",this.turned(t))),{scope:"col"}));body=c("tbody");order=c("select","",new Option("newest first",""),..._t.map(({by:t,title:e})=>new Option(e,t)));more=v("more","",()=>this.act("more",""));box=c("div","box",c("label","order large","Sorted by ",this.order));constructor(t){let e=c("th","choice",c("span","unseen","In the charts")),o=c("table","runs",c("thead","",c("tr","",e,...this.heads)),this.body,{ariaLabel:"Runs"});this.order.addEventListener("change",()=>this.act("sort","",this.order.value)),this.box.append(o,this.more),t.append(this.box)}close(){cancelAnimationFrame(this.frame);for(let t of this.live.values())t.close();this.box.remove()}listen(){let t=new Set(this.data.rows.map(({id:e})=>e));for(let[e,o]of this.live)t.has(e)||(o.close(),this.live.delete(e));for(let{id:e,channel:o,now:s}of this.data.rows){let r=this.live.get(e)??new it(()=>{cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>this.draw())});this.live.set(e,r),r.show({channel:o,at:this.data.at,now:s})}}act(t,e,o){this.acts.add(t,e,o),this.draw()}turned(t){return this.sort===t?`-${t}`:this.sort===`-${t}`?"":t}get sort(){return this.acts.pending.findLast(([,t])=>t==="sort")?.[3]??this.data.sort}get rows(){let t=this.data.rows.map(s=>{let r=this.live.get(s.id)?.values??s.now;return{...s,...r,colour:s.colour??r.line_colour}}),e=new Map(t.map(s=>[s.id,s])),o={show:"shown",colour:"colour",rename:"name",note:"note"};for(let[,s,r,i]of this.acts.pending){let a=e.get(r);o[s]&&a&&(a[o[s]]=i)}return t}draw(){let{rows:t,sort:e}=this,o=e.replace("-",""),s=_t.find(l=>l.by===o);s&&t.sort(Kp(s,e.startsWith("-")));let r=e.startsWith("-")?"descending":"ascending";this.heads.forEach((l,h)=>l.ariaSort=_t[h]===s?r:null),this.order.value=o;let i=t.filter(l=>l.shown).length>=this.data.most,a=[];for(let l of this.grouped(t,a)){let h=this.lines.get(l.id)??new Tr(this,l.id);this.lines.set(l.id,h),h.fill(l,i),a.push(h.main,h.details)}for(let[l,h]of this.lines)h.main.isConnected&&!a.includes(h.main)&&this.lines.delete(l);bt(this.body,a),this.more.hidden=!this.data.hidden,this.more.textContent=`Show ${this.data.hidden} more`}*grouped(t,e){let o=new Set;for(let s of t){if(s.sweep||(yield s),!s.sweep||o.has(s.sweep))continue;o.add(s.sweep);let r=t.filter(({sweep:a})=>a===s.sweep),i=this.groups.get(s.sweep)??this.groupOf(s.sweep);i.open===null&&r.some(({shown:a})=>a)&&(i.open=!0),k(i.counts,` ${r.length} runs · ${r.filter(({steps:a})=>a!==null).length} solved`),i.name.ariaExpanded=String(i.open===!0),e.push(i.row),i.open&&(yield*r)}}groupOf(t){let e=v("name",`Sweep ${t}`,()=>{r.open=!r.open,this.draw()}),o=c("span"),s=c("td","",e,o,{colSpan:_t.length+1}),r={row:c("tr","sweep",s),name:e,counts:o,open:null};return this.groups.set(t,r),r}colour(t){let{light:e,dark:o}=this.data.colours;return`light-dark(${e[t%e.length]}, ${o[t%o.length]})`}};Tr=class{runs;id;row;box=c("input","",{type:"checkbox",onchange:()=>this.runs.act("show",this.id,this.box.checked)});name=v("name","",()=>{this.turn(this.runs.open!==this.id),this.runs.open===this.id&&this.details.querySelector("input, button")?.focus({preventScroll:!0})});first=c("span","tag","reference",{title:"All differences are relative to this run."});difference=c("div","difference");note=c("div","note");badge=c("span","badge");at=c("span","at");cells=_t.slice(2).map(({by:t,title:e})=>{let o=c("td",`number ${t}`);return o.dataset.title=e,o});main=c("tr","run",c("td","choice",c("label","dot",this.box)),c("td","what",c("div","top wrap",this.name,this.first),this.difference,this.note),c("td","status",this.badge,this.at),...this.cells);inside=c("td","",{colSpan:_t.length+1});details=c("tr","details",this.inside);updates=[];constructor(t,e){this.runs=t,this.id=e,this.details.addEventListener("keydown",o=>{o.stopPropagation(),o.key==="Escape"&&(this.turn(!1),this.name.focus())})}turn(t){this.runs.open=t?this.id:null,this.runs.draw()}fill(t,e){this.row=t;let{runs:o,main:s,box:r}=this,i=o.open===this.id;s.style.setProperty("--run",o.colour(Number(t.colour))),s.classList.toggle("open",i),s.classList.toggle("shown",t.shown),r.checked=t.shown,r.disabled=!t.shown&&e,r.title=r.disabled?`${o.data.most} runs is the most that the charts show.`:"In the charts",r.ariaLabel=`${t.name} in the charts`,k(this.name,t.name),this.name.ariaExpanded=String(i),this.first.hidden=!t.first,k(this.difference,t.difference),k(this.note,t.note),this.note.hidden=!t.note,k(this.badge,t.status),this.badge.dataset.status=t.status,k(this.at,t.ended?"":`step ${yt(t.step)}`),_t.slice(2).forEach(({by:a,form:l},h)=>{let d=t[a];k(this.cells[h],d===null?"–":l?.(d)??d),this.cells[h].title=t[`${a}_evidence`]??""}),this.details.hidden=!i,i===!this.updates.length&&(i?this.inside.append(this.form()):this.inside.replaceChildren()),i||(this.updates=[]);for(let a of this.updates)a(t)}form(){let{runs:t,id:e}=this,o=(a,l,h,d="")=>{let m=v(a,l,()=>t.act(a,e),{title:d});return this.updates.push(p=>m.hidden=!h(p)),m},s=c("div","actions framed wrap",o("open","Open this run",()=>!0,"Its own charts, predictions and controls."),o("first","Compare the others with it",a=>!a.first,"Show differences relative to this run."),o("duplicate","Duplicate with a change",()=>!0,"Copy its settings to the form below the table."),o("stop","Stop",a=>a.mine&&!a.ended),o("delete","Delete",a=>a.mine&&a.ended,"Can be undone."));if(!this.row.mine)return c("div","form",s);let r=t.data.colours.light.map((a,l)=>{let h=v("pick","",()=>t.act("colour",e,l),{ariaLabel:`Colour ${l+1}`});return h.style.setProperty("--run",t.colour(l)),this.updates.push(d=>h.ariaPressed=String(d.colour===l)),h}),i=c("fieldset","colours",c("legend","","Colour"),...r);return c("div","form",this.field("rename","Name",c("input")),i,this.field("note","Note",c("textarea")),s)}field(t,e,o){let{runs:s,id:r}=this,i=t==="rename"?"name":t,a=c("span","problem",{role:"alert"});o.maxLength=Fp[i];let l=!1;o.addEventListener("input",()=>l=!0);let h=()=>{l&&o.value!==this.row[i]&&s.act(t,r,o.value),l=!1};return o.addEventListener("change",h),o.addEventListener("keydown",d=>{!(d instanceof KeyboardEvent)||d.key!=="Enter"||d.shiftKey||(d.preventDefault(),h())}),this.updates.push(d=>{let m=s.data.problem,p=m&&m.id===r&&m.verb===t?m:null;k(a,p?.sentence??""),l||(o.value=p?p.value:d[i])}),c("label",t,e,o,a)}}});var fc,uc=b(()=>{fc=`/* What a stage has made keeps its room, whatever it is. */
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
  font-size: 0.75rem;
  height: 1.2rem;
  line-height: 1.2rem;
  opacity: 0.78;
}
.stages ol > li {
  --hue: currentColor;
  border: 1px solid color-mix(in srgb, var(--hue) 55%, transparent);
  border-radius: 0.35rem;
  flex: 1 0 auto;
  font-size: 0.75rem;
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
  font-size: 0.875rem;
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
`});var gc={};x(gc,{default:()=>Yp});var Xp,Yp,Lr,bc=b(()=>{At();P();xe();gr();uc();Y();ne();oe();Qn();vt();St();Rt();R();C();Xp=[G,E,pt,so,fc],Yp=L(Xp,n=>new Lr(n),(n,{data:t})=>n.show(t)),Lr=class{parent;theme;root;observer=new ResizeObserver(()=>this.layout());shown="";size="";live=new it(()=>this.draw());strip=c("div","strip");words=c("div","words");tensor=c("div","tensor");group=new _(this.tensor);numbers=c("div","numbers");value=c("div","value cut");legend=c("div","legend wrap");figure=c("div","figure",this.tensor,this.numbers,c("div","foot",this.value,this.legend));constructor(t){this.parent=t,this.theme=N(t),this.root=t.querySelector(".slow-motion"),this.root.append(this.strip,this.words,this.figure),this.group.listen(this.tensor,()=>this.tell()),this.observer.observe(this.root)}close(){this.live.close(),this.observer.disconnect(),ot.set(this,null),this.root.replaceChildren()}show(t){this.live.show(t),this.draw()}draw(){let{message:t}=this.live.values;if(t===void 0)return;let e=W(Uint8Array.from(atob(t),i=>i.charCodeAt(0)));ot.set(this,e.lit);let o=N(this.parent),s=JSON.stringify([e.stage,e.strip,e.words,o]);if(s===this.shown)return;Object.assign(this,{shown:s,theme:o});for(let i of["strip","words","numbers"])this[i].innerHTML=e[i];let[r]=e.tensors;this.figure.classList.toggle("drawn",!!r),this.size="",r&&this.fill(r,o),this.layout()}fill(t,e){this.group.fill(t,rt(t),{heads:t.heads?.count,columns:t.columns.count},e,null);for(let o of this.group.tiles)o.node.tabIndex=-1,o.node.setAttribute("role","img"),o.node.setAttribute("aria-label",Re([t.title,o.grid.title].filter(Boolean).join(", "),o.grid));this.legend.replaceChildren(...an(this.group.grids,[],e))}layout(){let{clientWidth:t,clientHeight:e}=this.figure,o=`${t} ${e}`;if(!t||o===this.size)return;this.size=o;let s=this.strip.firstElementChild;s?.classList.remove("short"),s?.classList.toggle("short",s.scrollWidth>s.clientWidth),this.tensor.clientWidth&&Je(this.group,this.tensor.clientWidth,this.tensor.clientHeight,this.theme),this.tell()}tell(){this.value.textContent=this.group.words(" = ")}}});var yc,wc=b(()=>{yc=`/* A sweep: small charts side by side and a table of what came out. */
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
  height: 6.5rem;
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
  stroke-width: 1.6;
  vector-effect: non-scaling-stroke;
}
/* What has not solved it yet is dashed: it differs from the others without colour too. */
path.open {
  stroke: light-dark(#c8590b, #ff9d57);
  stroke-dasharray: 5 3;
}
path:hover {
  stroke-opacity: 1;
  stroke-width: 3;
}
.rule {
  stroke: currentColor;
  stroke-opacity: 0.55;
  vector-effect: non-scaling-stroke;
}
.plot span {
  font-size: 0.75em;
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
`});var Lc={};x(Lc,{default:()=>Zp});function xc(n,t){let e=[];for(;n[`${t} ${e.length}`];)e.push(n[`${t} ${e.length}`]);return e}function kc({cards:n,percent:t,steps:e}){let o=Math.max(1,e),s=d=>Tc*d/o;if(t)return{last:o,across:s,up:d=>fn*(1-d),ends:["100 %","0"]};let r=n.flatMap(d=>d.lines.flatMap(m=>m.values)).filter(d=>d>0),i=Math.min(...r,1/0),a=Math.max(...r,-1/0);if(!(a>i))return{last:o,across:s,up:()=>fn/2,ends:r.length?[co(a),""]:["",""]};let l=Math.log(a)-Math.log(i);return{last:o,across:s,up:d=>fn*(1-(Math.log(Math.max(d,i))-Math.log(i))/l),ends:[co(a),co(i)]}}function tu(n,t){let e=v("","",()=>n(t),{title:"Compare these runs"}),o=z("g",{class:"lines"}),s=z("line",{class:"rule",y1:0,y2:fn}),r=z("svg",{viewBox:`0 0 ${Tc} ${fn}`,preserveAspectRatio:"none",role:"img"},o,s),i=[c("span","top"),c("span","bottom"),c("span","last")],a=c("div","readout"),l=c("div","plot",r,...i);return{root:c("figure","card",c("figcaption","title",e),l,a),title:e,svg:r,rule:s,ends:i,readout:a,lines:o}}function eu({root:n,title:t,svg:e,lines:o,ends:s,readout:r},i,a){let{across:l,up:h,last:d}=a;k(t,i.title),e.setAttribute("aria-label",`${i.title}: ${i.summary}`);let m=i.lines.map(p=>{let u=p.steps.map((g,w)=>`${w?"L":"M"}${Sr(l(g))},${Sr(h(p.values[w]))}`);p.steps.length===1&&u.push("h0.01");let f=z("title",{},`${p.name}: ${p.result}`);return z("path",{d:u.join(""),class:p.solved===null?"open":"solved"},f)});o.replaceChildren(...m),[...a.ends,`step ${yt(d)}`].forEach((p,u)=>k(s[u],p)),r.dataset.all=i.summary,n.classList.toggle("waiting",!i.lines.some(p=>p.steps.length))}function nu({steps:n,values:t},e){let o=null;for(let s=0;s<n.length&&n[s]<=e;s++)o=t[s];return o}function ou(n){let t=n.length>>1;return n.length%2?n[t]:(n[t-1]+n[t])/2}function vc(n,t){let e=c("i",t);return e.style.left=`${100*Math.min(1,n)}%`,e}function Sr(n){return Math.round(n*10)/10}function co(n){return n!==0&&Math.abs(n)<.001?n.toExponential(1):String(Number(n.toPrecision(3)))}var Tc,fn,lo,Zp,Cr,Cc=b(()=>{P();wc();Rt();R();C();Tc=200,fn=100,lo={percent:!0,columns:0,steps:1,cards:[],head:[],spread:1,rows:[]},Zp=L([E,yc],n=>new Cr(n),(n,{data:t,setTriggerValue:e})=>{n.ask=(o,s)=>e("asked",{verb:o,value:s}),n.draws=t.draws,n.live.show(t),n.draw()}),Cr=class{cards=[];at=null;grid=c("div","grid");table=c("table","summary");scroller=c("div","scroller",this.table);box=c("div","box");live=new it(()=>this.draw());draws="";content="";data=lo;scale=kc(lo);ask=()=>{};constructor(t){t.append(this.box),this.grid.addEventListener("pointermove",e=>this.point(e)),this.grid.addEventListener("pointerleave",()=>this.look(null))}close(){this.live.close(),this.box.remove()}draw(){let{percent:t,columns:e,steps:o,head:s,spread:r,...i}=this.live.values,a=this.draws==="cards",l=a?{...lo,percent:t,columns:e,steps:o,cards:xc(i,"card")}:{...lo,head:s,spread:r,rows:xc(i,"row")},h=JSON.stringify(l);this.content!==h&&(Object.assign(this,{content:h,data:l}),this.box.replaceChildren(a?this.grid:this.scroller),a?this.chart():this.tabulate())}chart(){let{cards:t,columns:e}=this.data;for(this.grid.style.setProperty("--columns",e?String(e):"auto-fill"),this.scale=kc(this.data);this.cards.length>t.length;)this.cards.pop()?.root.remove();for(;this.cards.length<t.length;){let o=tu(s=>this.ask("compare",this.data.cards[s].index),this.cards.length);this.cards.push(o),this.grid.append(o.root)}t.forEach((o,s)=>eu(this.cards[s],o,this.scale)),this.look(this.at)}point(t){let e=t.target.closest("svg");if(!e)return;let o=e.getBoundingClientRect(),s=Math.min(1,Math.max(0,(t.clientX-o.left)/o.width));this.look(Math.round(s*this.scale.last))}look(t){this.at=t,this.cards.forEach(({rule:e,readout:o},s)=>{let r=this.data.cards[s];if(e.toggleAttribute("hidden",t===null),t===null)return k(o,o.dataset.all??"");let i=Sr(this.scale.across(t));e.setAttribute("x1",String(i)),e.setAttribute("x2",String(i));let a=r.lines.map(m=>nu(m,t)).filter(m=>m!==null);a.sort((m,p)=>m-p);let l=this.data.percent?H:co,d=a.length>1&&a[0]!==a.at(-1)?` (${l(a[0])} to ${l(a[a.length-1])})`:"";k(o,a.length?`step ${yt(t)}: ${l(ou(a))}${d}`:`step ${yt(t)}: –`)})}tabulate(){let{head:t,rows:e,spread:o}=this.data,s=t.map((i,a)=>c("th",a?"":"first",i,{scope:"col"})),r=e.map(({cells:i,marks:a,middle:l})=>{let h=a.map(p=>vc(p/o,"mark")),d=c("div","track",...h,l!==null&&vc(l/o,"middle")),m=i.map((p,u)=>c("td",u?"":"first",p));return c("tr","",...m,c("td","strip",d))});this.table.replaceChildren(c("thead","",c("tr","",...s)),c("tbody","",...r))}}});var su,Er=b(()=>{su=Mr({"../build/first_look.ts":()=>Promise.resolve().then(()=>(bi(),gi)),"../checkpoints/cards.ts":()=>Promise.resolve().then(()=>(Ei(),Si)),"../checkpoints/corner.ts":()=>Promise.resolve().then(()=>(Ko(),Li)),"../checkpoints/drop.ts":()=>Promise.resolve().then(()=>(Ri(),Ai)),"../checkpoints/pair.ts":()=>Promise.resolve().then(()=>(qi(),Fi)),"../checkpoints/upload.ts":()=>Promise.resolve().then(()=>(Pn(),Ci)),"../experiment/switches.ts":()=>Promise.resolve().then(()=>(Xi(),Ji)),"../generate/beam_tree.ts":()=>Promise.resolve().then(()=>(ea(),ta)),"../generate/generation.ts":()=>Promise.resolve().then(()=>(ia(),ra)),"../learn/check/check_file.ts":()=>Promise.resolve().then(()=>(ha(),ca)),"../learn/formula_rows.ts":()=>Promise.resolve().then(()=>(fa(),ua)),"../learn/grid.ts":()=>Promise.resolve().then(()=>(xa(),ya)),"../parts/acts.ts":()=>Promise.resolve().then(()=>(xt(),Ur)),"../parts/ask.ts":()=>Promise.resolve().then(()=>(Jt(),pi)),"../parts/attention.ts":()=>Promise.resolve().then(()=>(We(),fi)),"../parts/charts/chart.ts":()=>Promise.resolve().then(()=>(on(),qa)),"../parts/charts/chart_export.ts":()=>Promise.resolve().then(()=>(Hs(),Ja)),"../parts/charts/chart_store.ts":()=>Promise.resolve().then(()=>(Se(),Ia)),"../parts/charts/chart_theme.ts":()=>Promise.resolve().then(()=>(Kn(),Ba)),"../parts/charts/charts.ts":()=>Promise.resolve().then(()=>(dl(),hl)),"../parts/charts/examples.ts":()=>Promise.resolve().then(()=>(Ns(),tl)),"../parts/charts/heads.ts":()=>Promise.resolve().then(()=>(zs(),nl)),"../parts/charts/toolbar.ts":()=>Promise.resolve().then(()=>(Ds(),sl)),"../parts/component.ts":()=>Promise.resolve().then(()=>(R(),Jr)),"../parts/heatmaps/colours.ts":()=>Promise.resolve().then(()=>(Y(),ki)),"../parts/heatmaps/group.ts":()=>Promise.resolve().then(()=>(ne(),Bi)),"../parts/heatmaps/layout.ts":()=>Promise.resolve().then(()=>(oe(),_i)),"../parts/heatmaps/legend.ts":()=>Promise.resolve().then(()=>(Qn(),ml)),"../parts/heatmaps/message.ts":()=>Promise.resolve().then(()=>(St(),ui)),"../parts/heatmaps/tile.ts":()=>Promise.resolve().then(()=>(Bt(),Ii)),"../parts/live/changes.ts":()=>Promise.resolve().then(()=>(wl(),bl)),"../parts/live/focus.ts":()=>Promise.resolve().then(()=>Me(Ws())),"../parts/live/progress.ts":()=>Promise.resolve().then(()=>(vl(),kl)),"../parts/live/stream.ts":()=>Promise.resolve().then(()=>(Rt(),za)),"../parts/map/diagram.ts":()=>Promise.resolve().then(()=>(Ml(),El)),"../parts/map/follow.ts":()=>Promise.resolve().then(()=>(cn(),Sl)),"../parts/shortcuts.ts":()=>Promise.resolve().then(()=>(K(),zr)),"../parts/shown.ts":()=>Promise.resolve().then(()=>(vt(),Vr)),"../parts/streamlit_dom.ts":()=>Promise.resolve().then(()=>(mt(),Pr)),"../parts/styles.ts":()=>Promise.resolve().then(()=>(J(),Kr)),"../parts/tips.ts":()=>Promise.resolve().then(()=>(Rn(),hi)),"../parts/words.ts":()=>Promise.resolve().then(()=>(C(),Or)),"../passes/cell/cells.ts":()=>Promise.resolve().then(()=>(Xs(),$l)),"../passes/cell/expression.ts":()=>Promise.resolve().then(()=>(Ys(),Pl)),"../passes/cell/play.ts":()=>Promise.resolve().then(()=>(er(),Il)),"../passes/frame.ts":()=>Promise.resolve().then(()=>(or(),Dl)),"../passes/look.ts":()=>Promise.resolve().then(()=>(sr(),Bl)),"../passes/maps.ts":()=>Promise.resolve().then(()=>(Ul(),jl)),"../passes/marks.ts":()=>Promise.resolve().then(()=>(pr(),ql)),"../passes/matrices.ts":()=>Promise.resolve().then(()=>(Yl(),Xl)),"../passes/matrix.ts":()=>Promise.resolve().then(()=>(Ze(),wa)),"../passes/pictures.ts":()=>Promise.resolve().then(()=>(jn(),pa)),"../passes/statement.ts":()=>Promise.resolve().then(()=>(fr(),Ql)),"../passes/table.ts":()=>Promise.resolve().then(()=>(no(),Fl)),"../passes/tensors.ts":()=>Promise.resolve().then(()=>(ec(),tc)),"../runs/text_file.ts":()=>Promise.resolve().then(()=>(oc(),nc)),"../shell/address.ts":()=>Promise.resolve().then(()=>Me(uo())),"../shell/every_page.ts":()=>Promise.resolve().then(()=>(So(),Gr)),"../shell/keys.ts":()=>Promise.resolve().then(()=>(rc(),sc)),"../shell/presenter.ts":()=>Promise.resolve().then(()=>(Po(),ci)),"../shell/scripts.ts":()=>Promise.resolve().then(()=>(Ec(),Sc)),"../shell/start.ts":()=>Promise.resolve().then(()=>Me(ic())),"../shell/theme.ts":()=>Promise.resolve().then(()=>(Mo(),jr)),"../step/outline.ts":()=>Promise.resolve().then(()=>(cc(),lc)),"../train/runs.ts":()=>Promise.resolve().then(()=>(pc(),mc)),"../train/slow_motion.ts":()=>Promise.resolve().then(()=>(bc(),gc)),"../train/sweep.ts":()=>Promise.resolve().then(()=>(Cc(),Lc))})});var Sc={};x(Sc,{default:()=>ru});var ru,Ec=b(()=>{Po();Rn();Er();ru=n=>su(`../${n}.ts`)});Ec();export{ru as default};

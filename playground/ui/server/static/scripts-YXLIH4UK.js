var rd=Object.create;var mo=Object.defineProperty;var id=Object.getOwnPropertyDescriptor;var ad=Object.getOwnPropertyNames;var ld=Object.getPrototypeOf,cd=Object.prototype.hasOwnProperty;var Cr=t=>e=>{var n=t[e];if(n)return n();throw new Error("Module not found in bundle: "+e)};var b=(t,e,n)=>()=>{if(n)throw n[0];try{return t&&(e=t(t=0)),e}catch(o){throw n=[o],o}};var ho=(t,e)=>()=>{try{return e||t((e={exports:{}}).exports,e),e.exports}catch(n){throw e=0,n}},x=(t,e)=>{for(var n in e)mo(t,n,{get:e[n],enumerable:!0})},dd=(t,e,n,o)=>{if(e&&typeof e=="object"||typeof e=="function")for(let s of ad(e))!cd.call(t,s)&&s!==n&&mo(t,s,{get:()=>e[s],enumerable:!(o=id(e,s))||o.enumerable});return t};var Mt=(t,e,n)=>(n=t!=null?rd(ld(t)):{},dd(e||!t||!t.__esModule?mo(n,"default",{value:t,enumerable:!0}):n,t));var po=ho(()=>{var Sr="compare",md=history.pushState.bind(history),uo={from:"",at:-1/0};history.pushState=(t,e,n)=>{let o=new URL(n??"",location.href),s=o.pathname!==location.pathname,i=o.searchParams.has(Sr)&&!new URLSearchParams(location.search).has(Sr);!s&&location.search&&!o.search&&(uo={from:location.href,at:performance.now()}),s&&!location.search&&performance.now()-uo.at<1e3&&history.replaceState(history.state,"",uo.from),s||i?md(t,e,o.href):history.replaceState(t,e,n)}});var Hr={};x(Hr,{free:()=>F,letLettersAct:()=>fo,lettersAct:()=>gn,nameOf:()=>Fe,onLetters:()=>go});function F(t){let e=t.key.length>1||t.key===" ";return(Ct||e)&&$r(t)}function $r(t){if(t.defaultPrevented||t.isComposing||t.ctrlKey||t.altKey||t.metaKey)return!1;let e=t.composedPath().filter(n=>n instanceof Element);return e.some(n=>n.matches("dialog[open], [role=dialog], [role=listbox], [role=menu]"))||e.some(n=>n.matches(hd)&&!n.matches(ud))?!1:!(fd.test(t.key)&&e.some(n=>n.matches(pd)))}function Fe({key:t,shiftKey:e}){return t.length===1?t.toLowerCase():e?`Shift+${t}`:t}function gn(){return Ct}function Rr(){try{return localStorage.getItem(fn)!=="off"}catch{return!0}}function fo(t){Ct=t;try{t?localStorage.removeItem(fn):localStorage.setItem(fn,"off")}catch{}}function go(t){Ar.add(t)}var hd,ud,pd,fd,fn,Ar,Ct,He=b(()=>{hd="input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox]",ud="[type=checkbox], [type=radio], [type=range], [type=button]",pd="[role=slider], [role=spinbutton], [role=radio], [role=radiogroup], [role=tab], [type=radio], [type=range]",fd=/^(Arrow|Page|Home|End)/,fn="playground single-letter shortcuts",Ar=new Set,Ct=Rr();addEventListener("storage",({key:t})=>{if(!(t!==fn&&t!==null)){Ct=Rr();for(let e of Ar)e()}});document.addEventListener("keydown",t=>!Ct&&/^[rc]$/i.test(t.key)&&$r(t)&&t.stopPropagation(),{capture:!0})});var Or={};x(Or,{APP:()=>at,BLOCK:()=>St,COLUMN:()=>bn,CONNECTION:()=>wn,MAIN:()=>ee,MAIN_BLOCK:()=>bo,NAVIGATION_LINK:()=>At,REVEAL:()=>yo,ROW:()=>wo,SCRIPT_STATE:()=>lt,keyed:()=>ce});var at,ee,bo,bn,wo,St,At,lt,yo,wn,ce,de=b(()=>{at=".stApp",ee=".stMain",bo=".stMainBlockContainer",bn=".stColumn",wo=".stHorizontalBlock",St=`:is(.stElementContainer, [data-testid=stLayoutWrapper], ${bn})`,At=":is(.stAppHeader, .stSidebar) a",lt="data-test-script-state",yo="[class*=st-key-reveal-] button",wn="data-test-connection-state",ce=t=>`.st-key-${t}`});var Pr={};x(Pr,{arrange:()=>ge,button:()=>E,clip:()=>$t,decimal:()=>I,element:()=>c,exact:()=>be,label:()=>Y,notices:()=>ct,penOf:()=>me,percent:()=>z,position:()=>he,range:()=>mt,short:()=>dt,size:()=>Oe,summary:()=>Rt,tabular:()=>xo,visible:()=>_,whole:()=>we,write:()=>T});function c(t,e="",...n){let o=document.createElement(t);e&&(o.className=e);for(let s of n)s&&o.append(s);return o}function E(t,e,n){let o=c("button",t,e);return o.type="button",o.addEventListener("click",n),o}function me(t,e){return t.getContext("2d",e)}function ct(){let t=c("div","playground-notice");return t.setAttribute("role","status"),document.body.append(t),t}function T(t,e){t.textContent!==e&&(t.textContent=e)}function ge(t,e){let{children:n}=t;if(n.length===e.length&&e.every((s,i)=>n[i]===s))return;let o=t.getRootNode().activeElement;t.replaceChildren(...e),o instanceof HTMLElement&&t.contains(o)&&o.focus({preventScroll:!0})}function Oe(t,e,n){t.style.width=`${e}px`,t.style.height=`${n}px`}function _(t){let e=t.replaceAll(`
`,"↵").replaceAll("	","⇥");return e.trim()?e:e.replaceAll(" ","␣")}function be(t,e){let n=t.values[e],o=t.hidden?.[e]??0;return t.kind==="mask"?n?"allowed":`blocked${o?` (${Nr[o]})`:""}`:o||n===-1/0?`${I(n)} (masked${o?`: ${Nr[o]}`:""})`:t.whole?String(n):I(n)}function xo(t,e){let n=t.hidden?.[e]??0,o=t.kind==="mask"?t.values[e]?"allowed":"blocked":t.whole?String(t.values[e]):I(t.values[e]);return n?`${o} (${gd[n]})`:o}function I(t){if(t===-1/0||t===null)return"-∞";if(t===0)return"0";let e=Math.abs(t);return e>=1e5||e<.001?t.toExponential(4):t.toFixed(4)}function z(t){if(typeof t!="number"||Number.isNaN(t))return"not measured";for(let e=1;e<=5;e++){let n=(100*t).toFixed(e);if(Number(n)>0&&Number(n)<100||t<=0||t>=1)return`${n.replace(/\.0$/,"")} %`}return t>.5?"almost 100 %":"almost 0 %"}function we(t){return Math.round(t).toLocaleString("en")}function dt(t,e){let n=Math.abs(e);return t.whole||e===0?String(e):n>=1e4||n<.005?e.toExponential(0):e.toFixed(n<9.995?2:n<99.95?1:0)}function zr(t,e){return t.first+e+(t.axis==="V"?0:1)}function Y(t,e){if(!t.axis)return"";let n=t.names?.names[t.first+e-t.names.first];return n===void 0?String(zr(t,e)):_(n)}function he(t,e,n){if(!e.axis)return"";let o=zr(e,n);return e.names?`${t} “${Y(e,n)}” (${e.axis} ${o})`:`${e.axis} ${o}`}function mt(t,{first:e,count:n,size:o},s){return n<o?`${t} ${e+s}–${e+n-1+s} of ${o}`:""}function $t(t,e,n){if(t.measureText(e).width<=n+1)return e;let o=e.length-1;for(;o>0&&t.measureText(`${e.slice(0,o)}…`).width>n;)o--;return o>0?`${e.slice(0,o)}…`:""}function Rt(t,e){let n=(m,h,u)=>`${m} ${h}${m===1?"":"s"}${u&&` (${u})`}`,o=Array.from(e.values),s=o.filter(Number.isFinite),i=s.reduce((m,h)=>Math.min(m,h),1/0),r=s.reduce((m,h)=>Math.max(m,h),-1/0),a=e.kind==="mask"?0:o.reduce((m,h,u)=>m+ +(h===-1/0||(e.hidden?.[u]??0)>0),0),l=e.kind==="mask"?`${s.filter(Boolean).length} of ${e.values.length} cells allowed`:e.kind==="tokens"?"tokens":s.length?`values from ${I(i)} to ${I(r)}`:"no values",d=`${n(e.rows,"row",e.row.axis)} by ${n(e.columns,"column",e.column.axis)}`;return`${t}: ${d}, ${l}${a?`, ${a} masked`:""}.`}var gd,Nr,M=b(()=>{gd=["","causal","padding","both"],Nr=["","causal mask","padding","causal mask and padding"]});var Vr={};x(Vr,{arrive:()=>Lo,limit:()=>Eo});function Lo(t){if(Dr===t)return;Dr=t,clearInterval(ko);let e=0,n=0;ko=setInterval(()=>{let o=document.querySelector(at)?.getAttribute(lt)==="notRunning";e=o?e+1:0,(e===wd||++n===yd)&&clearInterval(ko);let{activeElement:s}=document;if(s!==document.body&&!s?.matches(At))return;let i=o?document.querySelector(`${ee} h1`):null;i?.setAttribute("tabindex","-1"),i?.focus({preventScroll:!0})},bd)}function Eo(t){To=Object.fromEntries(Object.entries(t).map(([e,n])=>[e.replace(/[^\w-]/g,"-"),n]))}function Td(){let t=document.querySelector(at)?.getAttribute(wn),e=Wr&&t!=="CONNECTED";Wr||=t==="CONNECTED",e?yn||(yn=setTimeout(()=>T(Br,"Connection lost. Reconnecting …"),kd)):(clearTimeout(yn),yn=0,T(Br,""))}var bd,wd,yd,xd,kd,Dr,ko,vd,To,vo,Ir,Br,yn,Wr,Mo=b(()=>{He();de();M();bd=100,wd=10,yd=100,xd=8e3,kd=1500,Dr=location.pathname.split("/").pop(),ko=0;vd={PageDown:.9,PageUp:-.9};addEventListener("keydown",t=>{let e=vd[t.key];if(!e||t.shiftKey||document.activeElement!==document.body||!F(t))return;let n=document.querySelector(ee);n?.scrollBy({top:e*n.clientHeight})});To={},vo=ct(),Ir=0;addEventListener("input",({target:t})=>{if(!(t instanceof HTMLInputElement||t instanceof HTMLTextAreaElement))return;let[,e=""]=/st-key-([\w-]+)/.exec(t.closest("[class*=st-key-]")?.className??"")??[],{length:n}=t.value,o=To[e]??To[""];if(clearTimeout(Ir),!(n>o))return T(vo,"");let s=i=>i.toLocaleString("en");T(vo,`The text is too long: ${s(n)} characters. Use ${s(o)} or fewer.`),Ir=setTimeout(()=>T(vo,""),xd)},{capture:!0});Br=ct(),yn=0,Wr=!1;new MutationObserver(Td).observe(document.body,{subtree:!0,attributeFilter:[wn],childList:!0})});var Gr={};x(Gr,{themes:()=>Co});function Co(){let t=c("select","small-button");t.setAttribute("aria-label","Theme"),t.title="Choose a light or dark theme";for(let[e,n]of Object.entries(Ld))t.add(new Option(n,e));return t.value=Ed(),t.addEventListener("change",()=>Md(t.value)),t}var Ld,Ed,Md,So=b(()=>{M();Ld={"":"System theme",light:"Light theme",dark:"Dark theme"},{chosen:Ed,choose:Md}=window.playgroundTheme});var jr={};x(jr,{Acts:()=>B});var B,ye=b(()=>{B=class{pending=[];#e=0;#t="";#o=null;#r=0;#n=0;adopt({session:e,heard:n},o){this.#o=o;let s=this.pending.length;this.#t!==e&&(this.pending=[]),this.#t=e,this.pending=this.pending.filter(([i])=>i>n),this.#e=Math.max(this.#e,n),this.pending.length<s&&(clearTimeout(this.#n),this.#n=0),this.#s()}release(){this.#o=null}add(e,n="",o=null){this.pending.push([++this.#e,e,n,o]),this.#s()}#s(){!this.#o||this.#n||!this.pending.length||(this.#n=setTimeout(()=>{this.#n=0,this.#s()},3e3),this.#o({session:this.#t,message:++this.#r,acts:[...this.pending]}))}}});var S,D=b(()=>{S=`/* What the sheets of components share. Rules in :where() give way to any other. */
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
.box {
  container-type: inline-size;
}
.soft {
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
`});var Fr,Ur=b(()=>{Fr=`/* The map's components: the way to an operation, the outline, the window of keys, the statement in its function. */
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
  display: flex;
  flex-wrap: wrap;
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
  display: flex;
  flex-wrap: wrap;
  list-style: none;
  margin: 0 0 0 -0.4rem;
  min-height: 1.85rem;
  padding: 0;
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
.outline header {
  align-items: center;
  background: var(--st-secondary-background-color);
  display: flex;
  gap: 0.5rem;
  justify-content: space-between;
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
.tree,
.tree ul {
  list-style: none;
  margin: 0;
  padding-inline: 0;
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
.keys header {
  align-items: center;
  display: flex;
  justify-content: space-between;
}
.keys h2 {
  font-size: 1.15rem;
  margin: 0;
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
  display: flex;
  flex-wrap: wrap;
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
.letters small {
  opacity: 0.8;
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
  margin: 0;
}
.keys dt {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem;
}
.keys dd {
  margin: 0;
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
  margin: 0;
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
  .crumbs ol {
    flex-wrap: nowrap;
    font-size: 0.82rem;
    overflow: auto hidden;
    scrollbar-width: none;
    white-space: nowrap;
  }
  .crumbs li > button {
    padding-inline: 0.25rem;
  }
  .tour {
    flex-wrap: nowrap;
    overflow: auto hidden;
    scrollbar-width: none;
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
`});var qr={};x(qr,{calm:()=>q,dress:()=>te,stylesOf:()=>C});function Ad(t){let e=_r.get(t);return e||(e=new CSSStyleSheet,e.replaceSync(t),_r.set(t,e)),e}function C(...t){let e=t.map(Ad);return n=>{let o=n.getRootNode(),s=e.filter(i=>!o.adoptedStyleSheets.includes(i));s.length&&(o.adoptedStyleSheets=[...o.adoptedStyleSheets,...s])}}function q(){return matchMedia("(prefers-reduced-motion: reduce)").matches}var _r,te,H=b(()=>{D();Ur();_r=new Map;te=C(S,Fr)});var Kr={};x(Kr,{Shown:()=>xe,lit:()=>ne,siblings:()=>ht,slide:()=>Ht,walk:()=>_e});var xe,ne,_e,ht,Ht,ke=b(()=>{xe=class{value=null;#e=null;#t=new Set;watch(e){return this.#t.add(e),e(this.value),()=>{this.#t.delete(e)}}set(e,n){if(!n&&this.#e!==e)return!1;this.#e=n&&e,this.value=n;for(let o of this.#t)o(n);return!0}},ne=new xe,_e=new xe,ht=new xe,Ht=new xe});var Jr={};x(Jr,{Views:()=>L});var L,N=b(()=>{L=class{make;kept=new WeakMap;calls=new WeakMap;constructor(e){this.make=e}at(e){let n=this.kept.get(e)??this.make(e);return this.kept.set(e,n),this.calls.set(n,(this.calls.get(n)??0)+1),n}leave(e){let n=this.kept.get(e),o=n&&this.calls.get(n);return()=>setTimeout(()=>{!n||this.calls.get(n)!==o||(n.close(),this.kept.delete(e))},500)}}});var di={};x(di,{default:()=>Dd,listen:()=>Id});function Dd({data:t,parentElement:e}){return ut=Yr.at(e),ut.data=t,ut.present.hidden=!t.slides.length,Lo(t.page),Eo(t.max_chars),Ho(),Yr.leave(e)}function Id({data:t,setStateValue:e}){return xn=t.link,kn.adopt(t,n=>e("acts",n)),()=>{xn===t.link&&(xn={},kn.release())}}function zt(){return ut?.node.isConnected?ut.data:null}function Ro(){return(zt()?.slides??[]).filter(({parts:t,panels:e})=>{let n=document.querySelector(ce(t.at(-1)??"")),o=n&&e.length?[...n.querySelectorAll("*")].find(s=>s.shadowRoot)?.shadowRoot:null;return n&&(!e.length||e.some(s=>o?.querySelector(`[data-panel="${s}"]`)))})}function Ln(){if(O===null)return null;let t=Ro();return t.find(({name:e})=>e===O)??t[0]??null}function Qr(t){let e=Ro(),n=Ln()?.name,o=e.findIndex(({name:s})=>s===n)+t;e[o]&&En(e[o].name)}function En(t){vn="",O=t,history.replaceState(history.state,"",location.href),Ho()}function Ho(){let t=Ro();if(t.some(s=>s.name===vn))return En(vn);let e=Ln(),n=e?.name??null;O!==null!==oe.hasAttribute("data-present")&&(O===null?Wd:ri)(),n!==(oe.dataset.slide??null)&&(n===null?delete oe.dataset.slide:oe.dataset.slide=n,oe.dataset.parts=(e?.parts??[]).join(" "),W.rules.textContent=e?Bd(e):"",document.querySelector(ee)?.scrollTo(0,0),W.announcement.textContent=e?.title??"",Ht.set(oe,e),Oo()),li();let o=t.length>1?t.map(s=>s.name===n?"●":"○").join(" "):"";W.dots.textContent!==o&&(W.dots.textContent=o)}function Bd({parts:t}){let e=`:is(${t.map(ce).join(", ")})`,n=`[data-present]:has(${e}) ${bo}`;return`
    ${n} ${St}:not(${e}, :has(${e}), ${e} *) {
      height: 0 !important; inset-inline: 0; min-height: 0; overflow: hidden; position: absolute; visibility: hidden;
    }
    ${n} ${bn}:has(${e}) { flex: 1 1 100%; max-width: none; min-width: 100%; }
    ${n} ${wo}:has(${e}) { min-height: 0; }`}function ri(){oe.setAttribute("data-present",""),document.activeElement?.blur(),Oo(),zo(),W.tell(oi),ci(),si=setInterval(Ho,400)}function Wd(){oe.removeAttribute("data-present"),oe.style.removeProperty("--present-scale"),clearInterval(si),Ot?.release(),W.tell(""),pt(null),zo(),document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function ii(){O!==null||!zt()?.slides.length||(En($d),oe.requestFullscreen?.().then(()=>O===null?document.exitFullscreen():void 0).catch(()=>{}))}function $o(){O!==null&&En(null)}function Oo(){O!==null&&(ai(Math.min(2.8,Math.max(1,Math.min(innerWidth/1024,innerHeight/576)))),li())}function ai(t){Ao=t,oe.style.setProperty("--present-scale",t.toFixed(3))}function li(){let t=document.querySelector(ee);if(!(!t||!Ln()?.shrinks))for(;t.scrollHeight>t.clientHeight+1&&Ao>Xr;)ai(Math.max(Xr,Ao*.96))}async function ci(){if(!(O===null||document.hidden||Ot))try{let t=await navigator.wakeLock.request("screen");t.addEventListener("release",()=>Ot===t&&(Ot=null)),Ot=t,O===null&&t.release()}catch{O!==null&&W.tell(`${oi} · The screen may turn off`)}}function Vd(t){if(t==null)return t;let e=new URL(t,location.href);return e.searchParams.get(Nt)===O?t:(O===null?e.searchParams.delete(Nt):e.searchParams.set(Nt,O),e.href)}function Gd(){let t=new URL(location.href);t.searchParams.delete(Nt);for(let[e,n]of Object.entries(xn))t.searchParams.set(e,n);return t.href}function Ud(){let t=Ln(),e=t&&document.querySelector(`${ce(t.parts.at(-1)??"")} ${yo}`);if(!t||!e)return!1;let n=zt()?.slides??[];return vn=n[n.indexOf(t)+1]?.name??"",e.click(),!0}function ti(t){let e=zt(),n=e?.pages[e.pages.indexOf(e.page)+t];if(n===void 0)return;[...document.querySelectorAll(At)].find(i=>new URL(i.href).pathname.split("/").pop()===n)?.click()}function pt(t){if(t==="code"){W.encode(Gd());let n=/^(localhost|127\.|\[::1\])/.test(location.hostname);W.hint.textContent=n?"This link works on this computer only. For others, open the app by its name in the network.":""}let e=W.covered();W.black.hidden=t!=="black",W.code.hidden=t!=="code",t==="code"?W.copy.focus():e&&(W.copy.blur(),ut?.share.focus({preventScroll:!0}))}function Fd(){let t=document.createElement("style");document.head.append(t);let e=Object.assign(c("img",""),{alt:"QR code of the link below"}),n=c("p","address"),o=c("p","hint"),s=c("div","black"),i=E("copy","Copy link",async g=>{g.stopPropagation();try{await navigator.clipboard.writeText(n.textContent??""),o.textContent="Link copied."}catch{o.textContent="The browser did not allow it. Select the link and copy it."}}),r=c("div","code",e,n,i,o),a=c("div","dots"),l=c("div","keys-message"),d=c("div","announcement");d.setAttribute("role","status"),a.setAttribute("aria-hidden","true"),r.setAttribute("role","dialog"),r.setAttribute("aria-label","Share: a link to what this page shows"),o.setAttribute("role","status");let m=0,h=g=>{m=1,e.src=new URL(`./qr?text=${encodeURIComponent(g)}`,document.baseURI).href,n.textContent=g};e.addEventListener("error",()=>{n.textContent.length>Od?o.textContent="This link is too long for a QR code.":m++<Nd?setTimeout(()=>!r.hidden&&e.setAttribute("src",e.src),zd):o.textContent="The QR code could not be drawn. Close this and try again."}),s.hidden=r.hidden=!0;for(let g of[s,r])g.addEventListener("click",()=>pt(null));document.body.append(c("div","playground-presenter",a,l,d,s,r));let u=0;return{rules:t,encode:h,hint:o,copy:i,black:s,code:r,dots:a,announcement:d,tell:g=>{clearTimeout(u),l.textContent=g,g&&(u=setTimeout(()=>l.textContent="",Hd))},covered:()=>!s.hidden||!r.hidden}}function zo(){clearTimeout(ni);for(let t of Tn)t.adoptedStyleSheets=t.adoptedStyleSheets.filter(e=>e!==No);Tn=[],O!==null&&(ni=setTimeout(_d,Rd))}function _d(){let t=[...document.querySelectorAll(`${ee} *`)].map(e=>e.shadowRoot).filter(e=>e!==null);Tn=[document,...t];for(let e of Tn)e.adoptedStyleSheets=[...e.adoptedStyleSheets,No]}function qd(t){te(t);let e=E("small-button","",ii);e.innerHTML='<svg viewBox="0 0 20 14" aria-hidden="true"><path d="M1 1h18M2.5 1v8h15V1M10 9v2M7 13.4l3-2.4 3 2.4"/></svg>Present',e.title="Present one part at a time, in large type (F)",e.setAttribute("aria-keyshortcuts","F");let n=E("small-button share","Share",()=>pt("code"));n.title="A link to what this page shows (Q)",n.setAttribute("aria-keyshortcuts","Q");let o=c("div","tools",Co(),n,e);return t.append(o),{node:o,present:e,share:n,data:null,close:()=>o.remove()}}var Yf,Nt,$d,Rd,Hd,oi,Od,Nd,zd,Xr,Pd,oe,kn,Yr,ut,xn,O,Ot,vn,Ao,si,W,Zr,ei,jd,No,ni,Tn,Po=b(()=>{Yf=Mt(po());Mo();So();ye();H();He();ke();de();N();M();Nt="present",$d="1",Rd=3e3,Hd=6e3,oi="Esc: leave · B: black · Q: QR code · ?: all keys",Od=1e3,Nd=4,zd=2e3,Xr=.9,Pd={f:"present",Escape:"leave",PageDown:"next",PageUp:"previous",ArrowRight:"next",ArrowLeft:"previous","Shift+PageDown":"nextPage","Shift+PageUp":"previousPage"," ":"run",s:"step",b:"black",".":"black",q:"code"},oe=document.documentElement,kn=new B,Yr=new L(qd),ut=null,xn={},O=new URLSearchParams(location.search).get(Nt),Ot=null,vn="",Ao=1,si=0,W=Fd();Zr=!1;document.addEventListener("fullscreenchange",()=>{!document.fullscreenElement&&Zr&&$o(),Zr=document.fullscreenElement!==null});addEventListener("resize",Oo);document.addEventListener("visibilitychange",ci);for(let t of["pushState","replaceState"]){let e=history[t].bind(history);history[t]=(n,o,s)=>e(n,o,Vd(s))}document.addEventListener("keydown",t=>{let e=t.key==="F5"&&!t.ctrlKey&&!t.metaKey&&!t.altKey,n=t.composedPath().includes(W.copy)&&["Enter"," "].includes(t.key);if(W.covered()&&!n&&!["Shift","Control","Alt","Meta"].includes(t.key)&&!t.ctrlKey&&!t.metaKey&&!t.altKey)pt(null);else if(!e||O===null)return;t.preventDefault(),t.stopImmediatePropagation()},{capture:!0});ei={present:()=>O===null?ii():$o(),leave:()=>O!==null&&$o(),next:()=>O!==null&&Qr(1),previous:()=>O!==null&&Qr(-1),nextPage:()=>O!==null&&ti(1),previousPage:()=>O!==null&&ti(-1),run:()=>O!==null&&(Ud()||kn.add("run","",1)),step:()=>O!==null&&kn.add("step","",1),black:()=>O!==null&&pt("black"),code:()=>pt("code")},jd=new Set(["present","leave","run","black","code"]);addEventListener("keydown",t=>{let e=zt()?.keys;if(!e||!F(t))return;let n=Fe(t),o=Pd[n];!ei[o]||!e.includes(n)||n===" "&&t.composedPath().some(s=>s instanceof Element&&s.matches("button, a, summary, [role=button]"))||(t.repeat&&jd.has(o)||ei[o]()!==!1)&&t.preventDefault()});No=new CSSStyleSheet;No.replaceSync("* { cursor: none !important }");ni=0,Tn=[];document.addEventListener("pointermove",zo,{passive:!0});O!==null&&ri()});var mi={};x(mi,{hide:()=>ve,hideSoon:()=>An,show:()=>Sn});function Kd(t){Sn(t,t.textContent,"",t.getAttribute("aria-description"))}function Sn(t,e,n,o,s=""){if(clearTimeout(Pt),Do===t&&!K.hidden)return;Do=t;let i=[["title",e],["shape",n],["",o],["action",s]];K.replaceChildren(...i.flatMap(([p,f])=>f?[c("div",p??"",f)]:[]));let r=getComputedStyle(document.querySelector(at)??document.body);K.style.background=r.color,K.style.color=r.backgroundColor,K.hidden=!1;let a=t.getBoundingClientRect(),{offsetWidth:l,offsetHeight:d}=K,m=a.top-d-ft,h=a.bottom+ft,u=a.left+a.width/2-l/2;K.style.left=`${Math.max(ft,Math.min(u,document.documentElement.clientWidth-l-ft))}px`,K.style.top=`${m>ft||h+d>innerHeight?Math.max(ft,m):h}px`}function An(){clearTimeout(Pt),Pt=setTimeout(ve,120)}function ve(){clearTimeout(Pt),Do=null,K.hidden=!0}var ft,K,Do,Pt,Mn,Io,Cn,qe,$n=b(()=>{de();M();ft=8,K=c("div","playground-tip"),Do=null,Pt=0;K.setAttribute("role","tooltip");K.hidden=!0;document.body.append(K);Mn=t=>{let[e]=t.composedPath();return e instanceof Element?e.closest(".term"):null},Io=t=>K.contains(t.target),Cn=t=>{let e=Mn(t);return e&&Kd(e),e},qe=document.addEventListener.bind(document);qe("pointerover",t=>Io(t)?clearTimeout(Pt):Cn(t));qe("pointerout",t=>(Mn(t)||Io(t))&&t.pointerType!=="touch"&&An());qe("focusin",Cn);qe("focusout",t=>Mn(t)&&ve());qe("click",t=>Cn(t)||Io(t)||ve());qe("keydown",t=>{if(!Mn(t)||t.key!=="Enter"&&t.key!==" ")return ve();t.preventDefault(),Cn(t)});qe("scroll",ve,{capture:!0,passive:!0});addEventListener("resize",ve)});var ui,hi=b(()=>{ui=`/* The first look: a sentence and a short tour beside a model at work. */
.first {
  --purple: var(--st-chart-categorical-colors-4, #7a45b8);
  border-bottom: 1px solid var(--st-border-color);
  display: flex;
  flex-wrap: wrap;
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
  display: flex;
  flex-wrap: wrap;
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
  display: flex;
  flex-wrap: wrap;
  gap: 0.4rem 0.6rem;
}
input {
  background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color);
  border-radius: 0.5rem;
  color: inherit;
  font: inherit;
  min-height: 2.2rem;
  padding: 0.2rem 0.7rem;
  width: 11rem;
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
`});var pi={};x(pi,{Latest:()=>Te,ask:()=>Le});async function Le(t,e,n=()=>!0){for(let o=1;;o++){let s=await fetch(t,{signal:AbortSignal.timeout(e)}),i=Number(s.headers.get("Retry-After"));if(s.status!==429||o===4||!n())return s;let r=Date.now()+1e3*Math.min(30,Math.max(1,i||1))*(1+Math.random()/2);for(;Date.now()<r&&n();)await new Promise(a=>setTimeout(a,200));if(!n())return s}}var Te,Ke=b(()=>{Te=class{most;read;known=new Map;wanted=null;busy=!1;constructor(e,n){this.most=e,this.read=n}ask(e,n){let o=this.known.get(e);this.wanted=o?null:{address:e,act:n},o?n(o):this.busy||this.work()}forget(){this.wanted=null}async work(){for(this.busy=!0;this.wanted;){let{address:e}=this.wanted,n=await this.read(e,()=>this.wanted?.address===e);"problem"in n||this.known.set(e,n);let[o]=this.known.keys();if(this.known.size>this.most&&this.known.delete(o),this.wanted?.address!==e)continue;let{act:s}=this.wanted;this.wanted=null,s(n)}this.busy=!1}}});var fi={};x(fi,{decode:()=>V});function V(t){let e=t.slice().buffer,n=new DataView(e).getUint32(0,!0),o=JSON.parse(new TextDecoder().decode(new Uint8Array(e,4,n))),s=4+n,i=(r,a)=>{let l=new r(e,s,a);return s+=4*Math.ceil(l.byteLength/4),l};return o.tensors.forEach((r,a)=>{r.index=a,r.cells=r.rows.count*r.columns.count;let l=(r.heads?.count??1)*r.cells;r.values=r.kind==="mask"?i(Uint8Array,l):i(Float32Array,l),r.slopes=r.gradient?i(Float32Array,l):null,r.causes=r.hidden?i(Uint8Array,r.hidden*r.cells):null;for(let d of[r.rows,r.columns])d.names=o.labels[d.labels]??null}),o}var Ee=b(()=>{});var gi={};x(gi,{attentionOf:()=>Je});async function Je(t,e,n){let o=new URLSearchParams(e);try{let s=new URL(`./library/${encodeURIComponent(t)}/attention?${o}`,document.baseURI),i=await Le(s,Xd,n);if(!i.ok)return{tensor:null,problem:await i.text(),later:i.status===429};let[r]=V(new Uint8Array(await i.arrayBuffer())).tensors;return{tensor:r,problem:"",later:!1}}catch{return{tensor:null,problem:"",later:!0}}}var Xd,Dt=b(()=>{Ke();Ee();Xd=2e4});var yi={};x(yi,{default:()=>tm});function tm({data:t,parentElement:e,setTriggerValue:n}){let o=wi.at(e);return o.open=s=>n("stop",{tap:s,input:o.answered}),o.learn=()=>n("lesson",!0),o.show(t),wi.leave(e)}function nm(t){return[...t.replace(/[\s,]/g,"")].join(" ")}function om({values:t,heads:e,rows:n,columns:o},s){let i=e?.count??1;return Array.from({length:o.count},(r,a)=>{let l=0;for(let d=0;d<i;d++)l+=t[(d*n.count+s)*o.count+a];return l/i})}var Yd,bi,Qd,Zd,em,wi,Bo,xi=b(()=>{D();hi();Ke();Dt();H();N();M();Yd=C(S,ui),bi="http://www.w3.org/2000/svg",Qd=300,Zd=550,em=.02,wi=new L(t=>new Bo(t));Bo=class{stops;plot;status;input;questions;lines;open=()=>{};learn=()=>{};data=null;answered="";timer=0;typing=0;read=[];written=[];constructor(e){Yd(e);let n=o=>e.querySelector(o);n(".first").hidden=!1,this.stops=n(".stops"),n(".lesson").addEventListener("click",()=>this.learn()),this.plot=n(".plot"),this.status=n(".status"),this.input=n("input"),this.input.addEventListener("input",()=>{clearTimeout(this.typing),this.typing=setTimeout(()=>this.ask(),Qd)}),this.questions=new Te(20,(o,s)=>{let{name:i,stamp:r}=this.data;return Je(i,{stamp:r,input:o},s).then(a=>a.tensor??a)})}close(){clearTimeout(this.timer),clearTimeout(this.typing),this.questions.forget()}show(e){this.data||(this.data=e,this.stops.replaceChildren(...Object.entries(e.stops).map(([n,o],s)=>E("stop",`${s+1} ${n}`,()=>this.open(o)))),this.input.value=this.answered=e.input,this.ask())}ask(){let e=nm(this.input.value);if(this.plot.classList.remove("old"),!e)return T(this.status,"");this.questions.ask(e,n=>{if(!("values"in n)){this.rest(),this.plot.classList.add("old"),T(this.status,n.problem||"The server does not answer. Type again to retry.");return}this.answered=e,this.draw(n)})}draw(e){clearTimeout(this.timer);let{rows:n,columns:o}=e,s=n.count-1;this.read=Array.from({length:o.count},(r,a)=>c("span","token",Y(o,a))),this.written=Array.from({length:s},(r,a)=>{let l=E("token",Y(n,a+1),()=>this.look(e,a));for(let d of["pointerenter","focus"])l.addEventListener(d,()=>this.look(e,a));return l}),this.lines=document.createElementNS(bi,"svg"),this.lines.setAttribute("viewBox",`0 0 ${o.count} 1`),this.lines.setAttribute("preserveAspectRatio","none"),this.lines.setAttribute("aria-hidden","true"),this.plot.style.setProperty("--columns",String(o.count)),this.plot.replaceChildren(c("div","row",...this.read),this.lines,c("div","row",...this.written));let i=this.written.map(r=>r.textContent).join(" ");if(this.plot.setAttribute("aria-label",`Answer: ${i}`),q()||!s){s&&this.look(e,0);return}this.plot.classList.add("writing"),this.write(e,0)}write(e,n){this.mark(e,n),this.written[n].classList.add("there"),n+1<this.written.length?this.timer=setTimeout(()=>this.write(e,n+1),Zd):this.plot.classList.remove("writing")}rest(){clearTimeout(this.timer),this.plot.classList.remove("writing")}look(e,n){this.rest(),this.mark(e,n)}mark(e,n){let o=om(e,n),s=o.indexOf(Math.max(...o));this.read.forEach((r,a)=>{r.style.setProperty("--weight",String(o[a])),r.classList.toggle("most",a===s)}),this.written.forEach((r,a)=>r.classList.toggle("shown",a===n)),this.lines?.replaceChildren(...o.flatMap((r,a)=>{if(r<em)return[];let l=document.createElementNS(bi,"path");return l.setAttribute("d",`M${n+.5} 1 C${n+.5} 0.4 ${a+.5} 0.6 ${a+.5} 0`),l.style.setProperty("--weight",String(r)),[l]}));let i=e.heads?.count??1;T(this.status,`When the model predicts “${this.written[n].textContent}”, ${z(o[s])} of its cross-attention goes to the marked “${this.read[s].textContent}” (mean of ${i} heads).`)}}});var vi,ki=b(()=>{vi=`/* The library as cards. */
.bar {
  align-items: center;
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1rem;
  margin-bottom: 0.9rem;
}
.bar :is(input, select, button) {
  border: 1px solid var(--st-border-color);
  border-radius: 0.5rem;
  color: inherit;
  font: inherit;
  min-height: 2.3rem;
  padding: 0.2rem 0.7rem;
}
.bar :is(input, select) {
  background: var(--st-secondary-background-color);
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
  list-style: none;
  margin: 0;
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
  display: flex;
  flex-wrap: wrap;
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
  accent-color: var(--st-primary-color);
  height: 1.2rem;
  margin: 0;
  width: 1.2rem;
}
.tick:has(:disabled) {
  cursor: default;
  opacity: 0.45;
}
`});var Li={};x(Li,{CAUSAL:()=>Xe,PADDING:()=>gt,causeOf:()=>Vo,css:()=>J,drawn:()=>Qe,hatch:()=>Go,hatchCss:()=>Hn,imageOf:()=>Ye,mix:()=>Ne,readTheme:()=>P,readableOn:()=>It,shade:()=>Rn});function P(t){let e=getComputedStyle(t),n=c("canvas");n.width=n.height=1;let o=me(n,{willReadFrequently:!0}),s=u=>(o.clearRect(0,0,1,1),o.fillStyle=e.getPropertyValue(u).trim(),o.fillRect(0,0,1,1),[...o.getImageData(0,0,1,1).data.subarray(0,3)]),i=u=>[1,3,5].map(p=>parseInt(u.slice(p,p+2),16)),r=s("--st-background-color"),a=s("--st-text-color"),l=Ti(r)>.5?rm:im,d=u=>[r,...l[u].map(i)],m=parseFloat(getComputedStyle(document.documentElement).fontSize),h=e.getPropertyValue("--st-font")||"sans-serif";return{background:r,panel:s("--st-secondary-background-color"),negative:d("negative"),positive:d("positive"),probability:d("probability"),allowed:Ne(r,a,.45),hatch:J(Ne(r,a,.4)),lines:`rgba(${a.join(", ")}, 0.16)`,labels:J(Ne(r,a,.75)),ink:J(a),accent:J(s("--st-primary-color")),small:`${.6875*m}px ${h}`,text:`${.75*m}px ${h}`,bold:`600 ${.75*m}px ${h}`,strong:`700 ${.6875*m}px ${h}`,line:Math.round(.875*m),scale:m/16}}function Rn(t,e,n){if(!Number.isFinite(e))return n.background;if(t.kind==="tokens")return n.panel;if(t.kind==="mask")return e?n.allowed:n.background;if(t.kind==="probability")return Wo(n.probability,e);if(!t.coloured)return n.panel;let{most:o=1}=t;return e<0?Wo(n.negative,-e/o):Wo(n.positive,e/o)}function Ye(t,e,n=()=>!0){let o=new ImageData(t.columns,t.rows);for(let s=0;s<t.values.length;s++)o.data.set(Rn(t,t.values[s],e),4*s),o.data[4*s+3]=n(s)?255:0;return o}function Qe(t,e){return Object.assign(t,{width:e.width,height:e.height}),me(t).putImageData(e,0,0),t}function Wo(t,e){let n=Math.min(Math.max(e,0),1)*2,o=n<1?0:1;return Ne(t[o],t[o+1],n-o)}function Ti(t){let[e,n,o]=Array.from(t,s=>{let i=s/255;return i<=.04045?i/12.92:((i+.055)/1.055)**2.4});return .2126*e+.7152*n+.0722*o}function It(t){return Ti(t)>.179?"#000":"#fff"}function Ne(t,e,n){return t.map((o,s)=>Math.round(o+(e[s]-o)*n))}function J(t){return`rgb(${t.join(", ")})`}function Vo(t,e){return(t.hidden?.[e]??0)||(t.values[e]===-1/0?Xe:0)}function Go(t,e,n,o){let s=Math.round(6*o),i=c("canvas");i.width=i.height=s;let r=me(i);r.strokeStyle=e.hatch,r.lineWidth=o,r.beginPath();for(let l of[-s,0,s])n&Xe&&(r.moveTo(l,s),r.lineTo(l+s,0)),n&gt&&(r.moveTo(l,0),r.lineTo(l+s,s));r.stroke();let a=t.createPattern(i,"repeat");return a?.setTransform(new DOMMatrix().scale(1/o)),a??"transparent"}function Hn(t,e){let n=o=>`repeating-linear-gradient(${o}deg, ${t.hatch} 0 1px, transparent 1px 4px)`;return[e&Xe&&n(135),e&gt&&n(45)].filter(Boolean).join(", ")}var rm,im,Xe,gt,X=b(()=>{M();rm={negative:["#74abd9","#0b4a8f"],positive:["#f3a354","#9c4100"],probability:["#9b78d3","#3d0f70"]},im={negative:["#2c68a8","#9bd0ff"],positive:["#a85a10","#ffc27d"],probability:["#8558cc","#e4d4ff"]},Xe=1,gt=2});var Ci={};x(Ci,{keepClear:()=>_o});function _o(t){Nn!==t&&(Nn=t,Ei.observe(document.body,{childList:!0,subtree:!0}),addEventListener("scroll",Ze,{capture:!0,passive:!0}),addEventListener("resize",Ze)),Ze()}function Ze(){Mi||=requestAnimationFrame(am)}function am(){if(Mi=0,!Nn?.isConnected)return lm();let t=[ce("card-actions"),ce("dock")].map(r=>document.querySelector(r));if(t.some((r,a)=>r!==Fo[a])){Uo.disconnect();for(let r of t)r&&Uo.observe(r);Fo=t}let[e,n]=t;if(!e||!n)return jo.style.removeProperty("--corner");let{top:o,bottom:s}=e.getBoundingClientRect(),i=innerHeight-s>=n.offsetHeight+2*On;jo.style.setProperty("--corner",`${Math.round(i?On:Math.max(On,innerHeight-o+On/2))}px`)}function lm(){Nn=null,Fo=[],Ei.disconnect(),Uo.disconnect(),removeEventListener("scroll",Ze,{capture:!0}),removeEventListener("resize",Ze),jo.style.removeProperty("--corner")}var On,jo,Uo,Ei,Nn,Fo,Mi,qo=b(()=>{de();On=14,jo=document.documentElement,Uo=new ResizeObserver(Ze),Ei=new MutationObserver(Ze),Nn=null,Fo=[],Mi=0});var Si={};x(Si,{say:()=>ze,upload:()=>Bt});async function Bt(t,e){if(Ko)return null;let n=dm(t,e);if(n)return ze(n,!0);Ko=!0,ze(`Uploading ${t.name}`);try{let{name:o,message:s,problem:i}=await mm(t);return o?(ze(s??""),setTimeout(()=>Me.text.textContent===s&&Jo(),cm),o):ze(i||"The server refused the file. Try again.",!0)}catch{return ze("The file did not reach the server. Check your connection and try again.",!0)}finally{Ko=!1,Me.bar.hidden=!0}}function ze(t,e=!1){return Me.text.textContent=t,Me.node.classList.toggle("wrong",e),Me.node.hidden=!1,Me.close.hidden=!e,null}function dm({name:t,size:e},n){return/\.zip$/i.test(t)?e>n?`${t} is too large. A checkpoint has at most ${Math.round(n/1e6)} MB.`:"":`${t} isn't a checkpoint. Choose a .zip made by Download.`}function mm(t){return new Promise((e,n)=>{let o=new XMLHttpRequest,s=new URLSearchParams({name:t.name});o.open("POST",new URL(`./checkpoint?${s}`,document.baseURI)),o.responseType="json",o.upload.onprogress=({loaded:i,total:r,lengthComputable:a})=>{Me.bar.hidden=!a,a&&(Me.bar.value=i/r)},o.onload=()=>e(o.response??{}),o.onerror=o.ontimeout=o.onabort=n,o.send(t)})}function Jo(){Me.node.hidden=!0}function hm(){let t=c("div","playground-upload");t.hidden=!0,t.setAttribute("role","status");let e=c("span"),n=Object.assign(c("progress"),{max:1,value:0,hidden:!0}),o=Object.assign(c("button","","Close"),{type:"button"});return o.addEventListener("click",Jo),addEventListener("keydown",s=>s.key==="Escape"&&!o.hidden&&Jo()),t.append(e,n,o),document.body.append(t),{node:t,text:e,bar:n,close:o}}var cm,Me,Ko,zn=b(()=>{M();cm=6e3,Me=hm(),Ko=!1});var Oi={};x(Oi,{default:()=>xm});function xm({data:t,parentElement:e,setStateValue:n}){let o=Ai.at(e);o.acts.adopt(t,i=>n("acts",i));let s=o.data===$i?t.selected:o.data.selected;return o.data=t,o.theme=P(o.host),!o.typing&&!o.acts.pending.some(([,i])=>i==="search")&&(o.search.value=t.search),Qo(o),s!==t.selected&&o.cards.get(t.selected)?.node.scrollIntoView({block:"nearest"}),!o.typing&&!o.acts.pending.length&&vm(o),_o(o.host),Ai.leave(e)}function km(t){um(t);let e=c("div","box"),n=c("select","",...Object.entries(pm).map(([r,a])=>new Option(a,r))),o={cards:new Map,acts:new B,host:t.host??t,typing:0,data:$i,shown:[],order:n,search:Object.assign(c("input"),{type:"search",placeholder:"Search",ariaLabel:"Search the library"}),count:Object.assign(c("span","count"),{role:"status"}),grid:Object.assign(c("ul","grid"),{ariaLabel:"Checkpoints"}),nothing:c("p","nothing"),theme:P(t.host??t),sight:new IntersectionObserver(r=>{for(let{target:a,isIntersecting:l}of r){let d=o.cards.get(a.dataset.name??"");d&&(d.seen=l,Ri(d))}},{rootMargin:"120px"}),close(){clearTimeout(o.typing),o.sight.disconnect(),e.remove()}};o.search.addEventListener("input",()=>{clearTimeout(o.typing),o.typing=setTimeout(()=>{o.typing=0,Pe(o,"search","",o.search.value)},gm),Qo(o)}),o.search.addEventListener("keydown",r=>r.stopPropagation()),n.addEventListener("change",()=>Pe(o,"sort","",n.value));let s=Object.assign(c("input"),{type:"file",accept:".zip,application/zip",hidden:!0});s.addEventListener("change",async()=>{let r=s.files?.[0],a=r?await Bt(r,o.data.most):null;s.value="",a&&Pe(o,"added",a)});let i=Object.assign(c("button","","Upload"),{type:"button",title:"Choose a checkpoint .zip, or drop it on this page.",onclick:()=>s.click()});return o.grid.addEventListener("keydown",r=>Cm(o,r)),e.append(c("div","bar",o.search,c("label","","Sort by ",o.order),o.count,i,s)),e.append(o.grid,o.nothing),t.append(e),o}function Pe(t,e,n,o){t.acts.add(e,n,o),Qo(t)}function vm(t){let e=t.shown[0]?.name??"";e!==t.data.selected&&!t.shown.some(({name:n})=>n===t.data.selected)&&Pe(t,"move",e)}function Tm({acts:t,data:e}){let{rows:n,selected:o,sort:s}=e,i={rows:n,selected:o,sort:s,ticked:new Set(e.ticked)};for(let[,r,a,l]of t.pending)r==="sort"&&(i.sort=l),r==="tick"&&i.ticked[l?"add":"delete"](a),r==="delete"&&(i.rows=i.rows.filter(d=>d.name!==a)),fm.includes(r)&&(i.selected=a),r==="delete"&&(i.selected=l??a);return i}function Qo(t){let{rows:e,selected:n,sort:o,ticked:s}=Tm(t);t.order.value=o;let i=t.search.value.toLowerCase().split(/\s+/),r=e.filter(m=>i.every(h=>Lm(m).includes(h)));o&&r.sort((m,h)=>Em(m[o],h[o])),t.shown=r;let a=r.map(m=>{let h=t.cards.get(m.name)??Sm(t,m);return Am(h,m,m.name===n,s),h}),l=[...t.grid.children].findIndex(m=>m.matches(":focus-within"));ge(t.grid,a.map(({node:m})=>m)),l>=0&&!t.grid.matches(":focus-within")&&a[Math.min(l,a.length-1)]?.pick.focus();let d=a.find(({row:m})=>m.name===n)??a[0];for(let m of t.cards.values())m.pick.tabIndex=m===d?0:-1;document.querySelector(ce("card-buttons"))?.toggleAttribute("inert",!r.some(({name:m})=>m===t.data.selected)),T(t.count,t.search.value.trim()?`${r.length} of ${e.length}`:`${e.length} checkpoint${e.length===1?"":"s"}`),t.nothing.hidden=r.length>0,T(t.nothing,e.length?`No checkpoint matches “${t.search.value}”.`:"No checkpoints yet. Train a model and save it, or drop a .zip on this page.")}function Lm(t){return t.text??=[t.name,t.task,t.reads,t.architecture,t.origin,t.begun,t.problem&&"unusable"].join(" ").toLowerCase(),t.text}function Em(t,e){let[n,o]=[t??null,e??null].map(s=>s===null);return n||o?Number(n)-Number(o):typeof t=="number"?Number(e)-t:ym.compare(String(t),String(e))}function Mm({grid:t,cards:e}){return[...t.children].flatMap(n=>e.get(n.dataset.name??"")??[])}function Cm(t,e){let n=Mm(t),o=n.findIndex(({node:r})=>r.contains(e.target));if(o<0||e.altKey||e.ctrlKey||e.metaKey)return;let s=n.filter(({node:r})=>r.offsetTop===n[0].node.offsetTop).length,i={ArrowLeft:-1,ArrowRight:1,ArrowUp:-s,ArrowDown:s,Home:-o,End:n.length}[e.key];if(i!==void 0){e.preventDefault(),e.stopPropagation();let r=n[Math.min(n.length-1,Math.max(0,o+i))];for(let a of n)a.pick.tabIndex=a===r?0:-1;r.pick.focus()}else e.key==="Delete"&&!e.repeat&&!n[o].row.shipped&&Pe(t,"delete",n[o].row.name,(n[o+1]??n[o-1])?.row.name)}function Sm(t,e){let{name:n}=e,o=Object.assign(c("input"),{type:"checkbox",ariaLabel:`Compare ${n}`});o.addEventListener("change",()=>Pe(t,"tick",n,o.checked));let s=Object.assign(c("button","pick",n),{type:"button"});s.addEventListener("click",()=>Pe(t,"select",n)),s.addEventListener("dblclick",()=>Pe(t,"open",n));let[i,r,a]=[c("div","heads"),c("div","facts"),c("label","tick",o,"Compare")],l=c("li","card",i,s,r,a);l.dataset.name=n;let d={view:t,box:o,pick:s,heads:i,facts:r,tick:a,node:l,row:e,stamp:"",seen:!1,picture:null,ink:""};return t.cards.set(n,d),t.sight.observe(d.node),d}function Am(t,e,n,o){let{box:s,node:i,pick:r,tick:a}=t;i.classList.toggle("selected",n),r.ariaPressed=String(n),s.checked=o.has(e.name),s.disabled=!!e.problem||!s.checked&&o.size>=2,a.title=e.problem?"This checkpoint can't be used.":s.disabled?"Compare two at a time.":"";let l=JSON.stringify(e);t.stamp!==l&&(Object.assign(t,{row:e,stamp:l,picture:null}),i.classList.toggle("unusable",!!e.problem),t.facts.replaceChildren(...$m(e)),t.heads.replaceChildren(),Ri(t)),t.picture&&t.ink!==t.view.theme.ink&&Hi(t)}function $m({problem:t,task:e,reads:n,architecture:o,exact:s,evidence:i,step:r,size:a,saved:l,origin:d,begun:m,shipped:h}){let u=typeof s=="number",p=u&&c("div","gauge");p&&p.style.setProperty("--share",String(s));let f=c("div","score",u&&c("strong","",z(s)," "),c("span","soft",u?"exact match":"not tested"));f.title=i;let g=[t&&"unusable",d&&`from ${d}`,m&&`goes on from ${m}`,h&&"included with the app"];return[t?"":c("div","",`${e}, ${n}`),c("div","soft",t||o),t?"":f,p||"",c("div","soft",[r,a,!h&&wm.format(1e3*l)].filter(Boolean).join(" · ")),c("div","badges",...g.map(w=>w&&c("span","badge",w)))]}async function Ri(t){if(!(!t.seen||t.picture||t.row.problem)&&(Xo.add(t),!(Yo>=bm))){Yo+=1;for(let e of Xo)Xo.delete(e),e.seen&&e.node.isConnected&&!e.picture&&await Rm(e);Yo-=1}}async function Rm(t){let{name:e,stamp:n}=t.row,o=()=>t.seen&&t.row.stamp===n,{tensor:s,problem:i,later:r}=await Je(e,{heads:"few",stamp:n},o);t.row.stamp===n&&(r||(t.picture=s??i),s?Hi(t):i&&t.heads.replaceChildren(c("span","why",i)))}function Hi(t){let{picture:e,heads:n,view:{theme:o}}=t;if(t.ink=o.ink,!e||typeof e=="string"||!e.heads)return;let{rows:s,columns:i,cells:r,heads:a}=e;n.replaceChildren(...Array.from({length:a.count},(d,m)=>{let h=e.values.subarray(m*r,(m+1)*r);return Qe(c("canvas"),Ye({...e,values:h,rows:s.count,columns:i.count},o))}));let l=`Attention of ${a.count}${a.size>a.count?` of ${a.size}`:""} head${a.size>1?"s":""}`;Object.assign(n,{role:"img",ariaLabel:l,title:`${l} on an example`})}var um,pm,fm,gm,bm,wm,ym,Ai,Xo,Yo,$i,Ni=b(()=>{D();ki();ye();X();Dt();qo();H();de();zn();N();M();um=C(S,vi),pm={"":"newest first",name:"name",task:"task",exact:"accuracy, best first",bytes:"size, largest first"},fm=["select","move","open","added"],gm=400,bm=2,wm=new Intl.DateTimeFormat("en",{dateStyle:"medium",timeStyle:"short",hourCycle:"h23"}),ym=new Intl.Collator("en",{numeric:!0}),Ai=new L(km),Xo=new Set,Yo=0,$i={rows:[],selected:"",sort:"",ticked:[],search:"",most:0,session:"",heard:0}});var Di={};x(Di,{default:()=>Hm});function Hm({data:t,setTriggerValue:e}){Wt={...t,kept:n=>e("kept",n)}}function Zo(t){return Wt&&[...t.dataTransfer?.types??[]].includes("Files")}function Pi(t){return e=>{Zo(e)&&(e.preventDefault(),Pn=Math.max(0,Pn+t),zi.hidden=Pn===0)}}function Om(){let t=c("div","playground-drop");t.hidden=!0;let e=c("div","zone");return e.append(c("strong","","Drop to load"),c("span","","a checkpoint as a .zip")),t.append(e),document.body.append(t),t}var zi,Wt,Pn,Ii=b(()=>{zn();M();zi=Om(),Wt=null,Pn=0;addEventListener("dragenter",Pi(1));addEventListener("dragleave",Pi(-1));addEventListener("dragover",t=>Zo(t)&&t.preventDefault());addEventListener("drop",async t=>{if(!Zo(t))return;t.preventDefault(),Pn=0,zi.hidden=!0;let e=[...t.dataTransfer?.files??[]];if(!Wt||e.length!==1)return ze("Drop only one file.",!0);let n=await Bt(e[0],Wt.most);n&&Wt.kept(n)})});var ue,bt=b(()=>{ue=`/* A heatmap, as \`tile.ts\` draws it. */
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
`});var Wi,Bi=b(()=>{Wi=`/* Attention of one of two checkpoints that are compared. */
.heading {
  display: none;
}
.flow {
  display: grid;
  gap: 8px 14px;
  grid-template-columns: repeat(var(--across, 2), max-content);
}
.tile {
  border-radius: 4px;
}
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
`});var Ui={};x(Ui,{MIN_CELL:()=>Vt,boxOf:()=>pe,cellAt:()=>Ie,draw:()=>Q,mark:()=>Se,measure:()=>Ce,newTile:()=>Gt,paintCells:()=>jt,place:()=>De,reveal:()=>et});function Gt(t){let e=c("div","title cut"),n=c("canvas"),o=c("div","marks"),s=c("div","layer",n,o),i=c("div","space",s),r=c("div","scroller",i);r.tabIndex=-1;let a=c("div","tile",e,r);return a.tabIndex=0,a.setAttribute("role","application"),a.setAttribute("aria-roledescription","heatmap"),t.append(a),{node:a,title:e,scroller:r,space:i,layer:s,canvas:n,marks:o,lit:[],cells:c("canvas")}}function Ce(t,e){let{grid:n}=t,o=me(t.canvas),s=(a,l)=>(o.font=l,Math.ceil(a.reduce((d,m)=>Math.max(d,o.measureText(m).width),0))),i=(a,l)=>Array.from({length:l},(d,m)=>Y(a,m)),r=n.kind==="tokens"&&n.rows===1;t.rowTicks=i(n.row,n.rows),t.columnTicks=i(r?{...n.column,names:null}:n.column,n.columns),t.cellTexts=n.kind!=="tokens"?null:r?i(n.column,n.columns):Array.from(n.values,String),t.textWidth=t.cellTexts?Math.min(120,s(t.cellTexts,e.text)+14):0,t.rowTickWidth=Math.min(Vi,s(t.rowTicks,e.small)),t.columnTickWidth=Math.min(Vi,s(t.columnTicks,e.small)),t.specialWidth=s(Gm,e.small),t.axes=[n.row.axis&&`${n.row.axis} ↓`,n.column.axis&&`${n.column.axis} →`].filter(Boolean).join("   "),t.least=Math.max(s([t.axes],e.small),Math.min(n.strip?300:160,s([n.title],e.bold)+2)),t.line=e.line}function pe(t,e,n){let{grid:o,room:s=o}=t,i=t.rowTickWidth?t.rowTickWidth+8:0,r=Math.floor((n-i-2)/s.columns),a=Math.max(Vt,Math.min(e,r)),l=Math.max(a,Math.min(e,Pm));o.strip?{width:a,height:l}=Vm:o.kind==="tokens"?(a=Math.max(Math.min(a,30),t.textWidth),l=30):s.rows===1&&s.columns===1?(a=88,l=36):(s.rows<=3&&(l=Math.max(l,18)),s.columns<=3&&(a=Math.max(a,18)));let m=!(t.columnTickWidth<=a-2)&&a>=t.line-3,h=t.columnTickWidth?m?t.columnTickWidth+5:t.line:0,u=(t.axes?t.line:0)+h+1,p=o.title?t.line+4:0;return{gutter:i,head:u,cellWidth:a,cellHeight:l,turned:m,width:i+o.columns*a+2,height:u+o.rows*l+1,tileWidth:Math.min(n,Math.max(i+s.columns*a+2,t.least)),tileHeight:p+u+s.rows*l+1}}function De(t,e,n,o){t.box=e,t.node.style.width=`${e.tileWidth}px`,t.node.style.minHeight=o?"":`${e.tileHeight}px`,Oe(t.space,e.width,e.height),Oe(t.layer,0,0),t.scroller.style.maxHeight=o?`${o}px`:"";let s=t.scroller.offsetWidth-t.scroller.clientWidth;s&&(t.node.style.width=`${Math.min(n,e.tileWidth+s)}px`),t.view={width:Math.min(e.width,t.scroller.clientWidth),height:Math.min(e.height,t.scroller.clientHeight)},Oe(t.layer,t.view.width,t.view.height),t.marks.style.left=`${e.gutter}px`,t.marks.style.top=`${e.head}px`,Oe(t.marks,Math.max(0,t.view.width-e.gutter),Math.max(0,t.view.height-e.head))}function Ie(t,e,n){let{grid:o,box:s,scroller:i,layer:r}=t,a=r.getBoundingClientRect();if(e>a.right||n>a.bottom)return null;let l=e-a.left-s.gutter,d=n-a.top-s.head,m=Math.floor((l+i.scrollLeft)/s.cellWidth),h=Math.floor((d+i.scrollTop)/s.cellHeight);return l>=0&&d>=0&&h<o.rows&&m<o.columns?{row:h,column:m}:null}function et(t,e,n){let{box:o,view:s,scroller:i}=t,r=(d,m,h,u)=>Math.max(Math.min(d,m),m+h-u),{cellWidth:a,cellHeight:l}=o;i.scrollLeft=r(i.scrollLeft,n*a,a,s.width-o.gutter),i.scrollTop=r(i.scrollTop,e*l,l,s.height-o.head)}function Se(t,e){for(t.lit=e;t.marks.children.length<e.length;)t.marks.append(c("div"));for(;t.marks.children.length>e.length;)t.marks.lastChild?.remove();let{box:n,scroller:o}=t;e.forEach(({name:s,rows:i,columns:r},a)=>{let l=t.marks.children[a];l.className=`mark ${s}`;let d=r[0]*n.cellWidth-o.scrollLeft,m=i[0]*n.cellHeight-o.scrollTop;l.style.transform=`translate(${d}px, ${m}px)`,Oe(l,(r[1]-r[0])*n.cellWidth,(i[1]-i[0])*n.cellHeight)})}function jt(t,e,n=null){t.made=n,t.image=Ye(t.grid,e,o=>ji(t,o)),Qe(t.cells,t.image)}function ji({made:t,grid:e},n){return!t||t(Math.floor(n/e.columns),n%e.columns)}function Q(t,e){let{grid:n,box:o,view:s,canvas:i,scroller:r}=t,{gutter:a,head:l,cellWidth:d,cellHeight:m}=o,h=devicePixelRatio,u=Math.round(s.width*h),p=Math.round(s.height*h);(i.width!==u||i.height!==p)&&(i.width=u,i.height=p,Oe(i,s.width,s.height));let f=me(i);f.setTransform(h,0,0,h,0,0),f.clearRect(0,0,s.width,s.height);let g=a-r.scrollLeft,w=l-r.scrollTop,k={row:Math.floor((l-w)/m),column:Math.floor((a-g)/d)},R={row:Math.min(n.rows,Math.ceil((s.height-w)/m)),column:Math.min(n.columns,Math.ceil((s.width-g)/d))};f.save(),f.beginPath(),f.rect(a,l,s.width-a,s.height-l),f.clip(),f.imageSmoothingEnabled=!1,f.drawImage(t.cells,g,w,n.columns*d,n.rows*m),jm(f,t,e,g,w,k,R,h),f.beginPath();let y=(v,$,U,Z)=>f.rect(Math.round(v),Math.round($),U,Z),A=Math.min(d,m)>=10;for(let v=k.row;v<=R.row;v++)(A||v===0||v===n.rows)&&y(g,w+v*m-(v?1:0),n.columns*d,1);for(let v=k.column;v<=R.column;v++)(A||v===0||v===n.columns)&&y(g+v*d-(v?1:0),w,1,n.rows*m);f.fillStyle=e.lines,f.fill(),f.restore(),Um(f,t,e,g,w,k,R)}function jm(t,e,n,o,s,i,r,a){let{grid:l}=e,{cellWidth:d,cellHeight:m}=e.box,h=d>=Bm*n.scale&&m>=Wm*n.scale,u=e.cellTexts||l.kind!=="mask"&&h,p=[null,null,null,null];t.font=n.text,t.textAlign="center",t.textBaseline="middle";for(let f=i.row;f<r.row;f++)for(let g=i.column;g<r.column;g++){let w=f*l.columns+g;if(e.made&&!ji(e,w))continue;let k=o+g*d,R=s+f*m,y=Vo(l,w);if(y)(p[y]??=new Path2D).rect(k,R,d,m);else if(u){let A=e.cellTexts?e.cellTexts[w]:dt(l,l.values[w]);t.fillStyle=It(e.image.data.subarray(4*w,4*w+3)),t.fillText($t(t,A,d-4),k+d/2,R+m/2+1)}}for(let f=1;f<=3;f++){let g=p[f];g&&(t.fillStyle=Go(t,n,f,a),t.fill(g))}}function Gi(t,e){return[1,2,4,5,8,10,16,20,25,32,50,64].find(o=>o*e>=t)??Math.ceil(t/e)}function Um(t,e,n,o,s,i,r){let{box:a,view:l,grid:d}=e,{gutter:m,head:h,cellWidth:u,cellHeight:p}=a;if(t.fillStyle=n.labels,t.font=n.small,t.textBaseline="middle",t.textAlign="left",t.fillText(e.axes,0,e.line/2),e.rowTickWidth){t.textAlign="right";let g=d.rows<=Dm&&p>=Im,w=g?1:Gi(e.line-2,p),k=y=>g&&p<e.line-2?y.replace(/[\d.]+px/,`${p}px`):y,R=y=>y%w===0||y===d.marked;for(let y=i.row;y<r.row;y++){let A=s+(y+.5)*p;!R(y)||A<h||!g&&d.marked!==null&&y!==d.marked&&Math.abs(y-d.marked)*p<e.line-2||(t.font=k(y===d.marked?n.strong:n.small),t.fillStyle=y===d.marked?n.ink:n.labels,t.fillText($t(t,e.rowTicks[y],e.rowTickWidth),m-7,A+.5))}t.font=n.small,t.fillStyle=n.labels}if(d.marked!==null&&d.marked>=i.row&&d.marked<r.row&&m){let g=Math.max(h,s+d.marked*p);t.fillStyle=n.accent,t.fillRect(m-5,g,4,s+(d.marked+1)*p-g),t.fillStyle=n.labels}if(!e.columnTickWidth)return;let f=a.turned?1:Gi(e.columnTickWidth+2,u);for(let g=Math.ceil(i.column/f)*f;g<r.column;g+=f){let w=$t(t,e.columnTicks[g],e.columnTickWidth),k=t.measureText(w).width/2,R=o+(g+.5)*u;R<m||!a.turned&&R+k>l.width+2||(2*k>u-2&&a.turned?(t.save(),t.translate(R,h-4),t.rotate(-Math.PI/2),t.textAlign="left",t.fillText(w,0,0),t.restore()):(t.textAlign="center",t.fillText(w,R,h-e.line/2)))}}var Vt,Pm,Dm,Im,Bm,Wm,Vm,Vi,Gm,Be=b(()=>{X();M();Vt=4,Pm=12,Dm=17,Im=8,Bm=34,Wm=16,Vm={width:46,height:20},Vi=72,Gm=["PAD","BOS","EOS","SEP"]});var _i={};x(_i,{Group:()=>j,headsOf:()=>se});function se({heads:t}){return Array.from({length:t?.count??1},(e,n)=>(t?.first??0)+n)}function Fm(t,e,n,o){let{rows:s,columns:i,cells:r,kind:a}=t,l=(e-(t.heads?.first??0))*r,d=(n&&t.slopes||t.values).subarray(l,l+r),m=t.hidden>1?l:0,h=o?`head ${e+1}`:"";return{tensor:t,head:e,slope:n,values:d,hidden:t.causes&&!n?t.causes.subarray(m,m+r):null,kind:n?"signed":a,whole:t.whole&&!n,title:n?`dL/d ${h||"number"}`:h||(t.slopes?"number":""),rows:s.count,columns:i.count,row:s,column:i,marked:t.marked,most:n?t.slope:t.scale,coloured:r>1}}function Fi(t,e,n,o){let s=e?mt(t,e,n):"";if(!e||!s)return[];let i=(a,l,d)=>{let m=E("",a,()=>o.go?.({[t]:l}));return m.setAttribute("aria-label",`${t} ${d}`),m.disabled=l<0||l>=e.size,m},r=o[t]??e.count;return[i("«",e.first-r,"back"),c("span","range",s),i("»",e.first+r,"onward")]}var j,tt=b(()=>{Be();M();j=class{letter;title;remark;folds;flow;lineEnd;head;node;tensor;note="";least=0;heading=0;placed="";tiles=[];grids=[];broken=0;constructor(e){this.letter=c("span","letter"),this.title=c("span","name"),this.remark=c("span","note"),this.folds=c("span","folds"),this.flow=c("div","flow"),this.lineEnd=c("div","line-end"),this.letter.setAttribute("aria-hidden","true"),this.head=c("div","heading",this.letter,this.title,this.remark,this.folds),this.node=c("div","group",this.head,this.flow),e.append(this.node)}remove(){this.node.remove()}fill(e,n,o,s,i){this.tensor=e;let r=n.length>1,a=e.heads&&!r;for(this.note=e.heads&&a?`head ${n[0]+1} of ${e.heads.size}`:"",this.grids=[!1,!0].filter(l=>!l||e.slopes).flatMap(l=>n.map(d=>Fm(e,d,l,r))),this.broken=r&&e.slopes?n.length:0;this.tiles.length<this.grids.length;)this.tiles.push(Gt(this.flow));for(;this.tiles.length>this.grids.length;)this.tiles.pop()?.node.remove();this.lineEnd.remove(),this.broken&&this.tiles[this.broken].node.before(this.lineEnd),this.letter.hidden=!e.role,e.role&&([this.letter.textContent,this.letter.style.background]=e.role),this.title.textContent=e.title,this.remark.textContent=this.note,this.folds.replaceChildren(...a?[]:Fi("heads",e.heads,1,o),...Fi("columns",e.columns,0,o)),this.tiles.forEach((l,d)=>{let m=this.grids[d];l.grid=m,l.title.textContent=l.title.title=m.title,l.title.hidden=!m.title;let h=[e.title,this.note,m.title].filter(Boolean).join(", ");l.node.setAttribute("aria-label",`${Rt(h,m)} Arrow keys move, Enter locks.`)}),this.paint(s,i)}point(e,n=": "){let o="";for(let s of this.tiles){let i=e&&s.box?Ie(s,e.x,e.y):null;if(Se(s,i?[{name:"cell",rows:[i.row,i.row+1],columns:[i.column,i.column+1]}]:[]),!i)continue;let{grid:r}=s;o=`${[r.title,he("row",r.row,i.row),he("column",r.column,i.column)].filter(Boolean).join(", ")}${n}${be(r,i.row*r.columns+i.column)}`}return o}paint(e,n){for(let o of this.tiles){let{head:s,slope:i}=o.grid;jt(o,e,n&&!i?(r,a)=>n(s,r,a):null)}}}});var Yi={};x(Yi,{fit:()=>Ft,fitHeads:()=>_t,layOut:()=>ss});function Ft(t,e,n,o){for(let i of t.tiles)Ce(i,o);let s=Ki;for(;s>Vt&&Ut(rs(t,s,e),e).height+t.head.offsetHeight>n;)s--;for(let i of t.tiles)De(i,pe(i,s,e),e,0),Q(i,o)}function _t(t,e,{width:n,height:o,gap:s,most:i,across:r=1/0}){let{tiles:a}=t;for(let u of a)Ce(u,e);let l=i,d=1;for(;a.length;l--){let{tileWidth:u,tileHeight:p}=pe(a[0],l,n);d=Math.min(r,a.length,Math.max(1,Math.floor((n+s)/(u+s))));let f=Math.ceil(a.length/d)*(p+s/2)-s/2;if(l<=Vt||(o!==void 0?f<=o:d===Math.min(r,a.length)))break}let m=a.map(u=>pe(u,l,n)),h=JSON.stringify([n,d,m]);t.flow.style.setProperty("--across",String(d)),a.forEach((u,p)=>{h!==t.placed&&De(u,m[p],n,0),Q(u,e)}),t.placed=h}function ss({sides:t,arrow:e,inputs:n,outputs:o},s,i,r,a,l,d,m){for(let u of[...s,i]){for(let p of u.tiles)Ce(p,m),Ym(p,l&&p.room||{},d);u.head.style.width=u.node.style.width="max-content",u.least=u.head.offsetWidth,u.heading=u.head.offsetHeight,u.head.style.width=""}let h=Qm(s,[i],r,a);t.classList.toggle("beside",h.beside),e.style.flexBasis=e.style.height=`${os}px`;for(let[u,p,f]of[[n,s,h.inputs],[o,[i],h.outputs]]){u.style.width=`${f}px`;for(let g of p){g.node.style.width=`${eh(g,h.cell,f)}px`;for(let w of g.tiles){let k=pe(w,h.cell,f);De(w,k,f,Xi(k)),Q(w,m)}}}}function Ym(t,e,n){let{row:o,column:s,rows:i,columns:r}=t.grid,a=(l,d,m)=>Math.max(l,m??0,n[d.axis]?t.specialWidth:0);t.rowTickWidth=a(t.rowTickWidth,o,e.rowTickWidth),t.columnTickWidth=a(t.columnTickWidth,s,e.columnTickWidth),t.room={rows:Math.max(i,e.rows??0,n[o.axis]??0),columns:Math.max(r,e.columns??0,n[s.axis]??0),rowTickWidth:t.rowTickWidth,columnTickWidth:t.columnTickWidth}}function Qm(t,e,n,o){let s=Zm(),i=s?[innerHeight-(qi+_m)*s]:o,r=s||1,a=(n<ts?Ji:Jm).map(y=>y*r),l=a.map(y=>[y,wt]);s&&l.unshift([innerHeight-qi*s,es]),n>=ts&&l.unshift(...i.map(y=>[y,s?es:wt]));let d=[];for(let y=Math.round(Ki*r);y>=wt;y--)d.push(f(t,e,n,y),g(t,e,n,y));let m=(y,A)=>d.filter(v=>v!==null).filter(v=>v.height<=y&&v.cell>=A).sort((v,$)=>$.ease-v.ease||v.height-$.height)[0],h=y=>Math.min(es,y.ease),u=m(1/0,wt);return l.map(y=>m(...y)).find(y=>y&&h(y)>=qm*h(u))??m(a[1],wt)??f(t,e,n,wt);function f(y,A,v,$){let U=k(y,$,v).height+k(A,$,v).height+(y.length?os:0);return{cell:$,beside:!1,inputs:v,outputs:v,height:U,ease:w($,[y,v],[A,v])}}function g(y,A,v,$){if(!y.length||v<ts)return null;let U=k(y,$,.45*v).width,Z=v-U-os,pn=Math.max(k(y,$,U).height,k(A,$,Z).height);return A.every(Et=>R(Et,$,Z).width<=Z)?{cell:$,beside:!0,inputs:U,outputs:Z,height:pn,ease:w($,[y,U],[A,Z])}:null}function w(y,...A){let v=A.flatMap(([$,U])=>$.map(Z=>Math.min(Km*r,pe(Z.tiles[0],y,U).cellWidth)));return v.reduce(($,U)=>$+U,0)/v.length}function k(y,A,v){return Ut(y.map($=>R($,A,v)),v)}function R(y,A,v){let $=Ut(rs(y,A,v),v);return{width:Math.max($.width,Math.min(v,y.least)),height:$.height+y.heading}}}function Zm(){return Number(document.documentElement.style.getPropertyValue("--present-scale"))}function eh(t,e,n){let o=rs(t,e,n),{width:s,height:i}=Ut(o,n),r=Math.max(...o.map(l=>l.width)),a=s;for(;a-Dn>=r&&Ut(o,a-Dn).height===i;)a-=Dn;return Math.min(n,Math.max(a,t.least))}function Xi(t){return t.height>Math.max(...Ji)||t.height>ns+240?ns:0}function rs(t,e,n){return t.tiles.map((o,s)=>{let i=pe(o,e,n),r=Xi(i)?i.height-ns:0;return{width:i.tileWidth,height:i.tileHeight-r,starts:t.broken>0&&s===t.broken}})}function Ut(t,e){let[n,o,s,i]=[0,0,0,0];for(let r of t)n&&(r.starts||n+r.width>e)&&(i+=o+Xm,n=o=0),n+=r.width,s=Math.max(s,n),o=Math.max(o,r.height),n+=Dn;return{width:s,height:i+o}}var Ki,wt,qi,_m,es,qm,Km,Jm,Ji,ts,ns,Dn,Xm,os,nt=b(()=>{Be();Ki=44,wt=8,qi=236,_m=90,es=14,qm=.75,Km=28,Jm=[600,800],Ji=[800,1200],ts=600,ns=560,Dn=20,Xm=12,os=36});var Zi={};x(Zi,{default:()=>sh});function sh({data:t,parentElement:e}){let n=Qi.at(e);return n.dress(),n.ask(t),Qi.leave(e)}var th,nh,oh,Qi,is,ea=b(()=>{D();bt();Bi();Dt();X();H();tt();nt();N();M();th=C(S,ue,Wi),nh=14,oh=30,Qi=new L(t=>new is(t));is=class{theme;host;box;plot;readout;group;observer;shown=null;asked=null;constructor(e){th(e),this.theme=P(e.host??e),this.host=e.host??e,this.box=c("div","box"),this.plot=c("div","plot"),this.readout=c("div","readout"," "),this.readout.setAttribute("role","status"),this.box.append(this.plot,this.readout),e.append(this.box),this.group=new j(this.plot),this.plot.addEventListener("pointermove",n=>this.look(n)),this.plot.addEventListener("pointerleave",()=>this.look(null)),this.observer=new ResizeObserver(()=>this.layout()),this.observer.observe(this.box)}close(){this.observer.disconnect(),this.asked="",this.box.remove()}dress(){this.theme=P(this.host),this.shown&&this.group.paint(this.theme,null),this.layout()}async ask({name:e,stamp:n,input:o}){let s=JSON.stringify([e,n,o]);if(s===this.asked)return;this.asked=s;let{tensor:i,problem:r,later:a}=await Je(e,{stamp:n,input:o},()=>this.asked===s);this.asked===s&&(a&&(this.asked=null),this.plot.hidden=!i,this.shown=i,this.readout.textContent=i?" ":r||"Server not responding. Change the input to try again.",i&&(this.group.fill(i,se(i),{},this.theme,null),this.layout()))}layout(){let e=this.box.clientWidth;!e||!this.shown||_t(this.group,this.theme,{width:e,gap:nh,most:Math.round(oh*this.theme.scale),across:e<420?2:4})}look(e){let n=this.group.point(e&&{x:e.clientX,y:e.clientY})||" ";this.shown&&this.readout.textContent!==n&&(this.readout.textContent=n)}}});var G,Ae=b(()=>{G=`/* In force before anything is drawn, so that nothing moves when it arrives. */
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
.pairs .toks { flex-wrap: nowrap; gap: .12rem; min-height: 1.55rem; overflow: auto hidden; scrollbar-width: none; }
.pairs .tok { font-size: .82rem; line-height: 1.35rem; min-width: 1.25rem; padding: 0 .1rem; flex: none; }
.pairs > :nth-child(6n + 4), .pairs > :nth-child(6n + 5), .pairs > :nth-child(6n + 6) { padding-bottom: .4rem; }
.table-wrap { overflow-x: auto; }
/* What can be scrolled sideways fades at the edge where there is more; without an overflow the animation rests. */
@supports (animation-timeline: scroll()) {
  .table-wrap, .scroller, .grid, .stMain .katex-display { animation: more-at-an-edge linear both; animation-timeline: scroll(self inline); }
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
`});var na,ta=b(()=>{na=`/* One row for each sublayer, its heads as buttons. */
.switches {
  overflow-x: auto;
}
table {
  border-collapse: collapse;
}
th {
  font-weight: 500;
  padding: 0.1rem 0.8rem 0.1rem 0;
  text-align: left;
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
`});var sa={};x(sa,{default:()=>lh});function lh({data:t,parentElement:e,setStateValue:n}){let o=oa.at(e);return o.acts.adopt(t,s=>n("acts",s)),o.show(t),oa.leave(e)}var ah,oa,as,ra=b(()=>{Ae();D();ta();ye();H();N();M();ah=C(G,S,na),oa=new L(t=>new as(t));as=class{box;acts=new B;buttons=new Map;structure="";adds="";constructor(e){ah(e),this.box=e.querySelector(".switches")}close(){this.acts.release(),this.box.replaceChildren(),this.structure=""}show({rows:e,adds:n}){this.adds=n;let o=JSON.stringify(e.map(({label:i,parts:r})=>[i,r.map(({site:a})=>a)]));o!==this.structure&&this.build(e),this.structure=o;let s=new Set(this.acts.pending.map(([,,i])=>i));for(let i of e.flatMap(({parts:r})=>r))s.has(i.site)||this.mark(i.site,i.mark)}build(e){this.buttons.clear();let n=e.map(({label:s,parts:i})=>{let r=c("th","small",s);r.scope="row";let a=i.map(l=>{let d=E("part",c("span","",l.label),()=>this.press(l.site));return d.setAttribute("aria-label",l.words),d.title=l.words,this.buttons.set(l.site,d),d});return c("tr","",r,c("td","",...a))}),o=c("table","",c("caption","unseen","Parts of the model"),c("tbody","",...n));this.box.replaceChildren(o)}press(e){let n=this.buttons.get(e)?.getAttribute("aria-pressed")==="true";this.mark(e,n?"":this.adds),this.acts.add("switch",e)}mark(e,n){let o=this.buttons.get(e);o.setAttribute("aria-pressed",`${n!==""}`),o.setAttribute("aria-description",n),o.dataset.mark=n}}});var aa,ia=b(()=>{aa=`/* Kept prefixes are filled, dropped ones dashed, and the path to the answer is thick. */
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
`});var da={};x(da,{default:()=>ph});function ph({data:t,parentElement:e}){return la.at(e).show(t),la.leave(e)}function re(t,e,...n){let o=document.createElementNS(mh,t);for(let[s,i]of Object.entries(e))o.setAttribute(s,String(i));return o.append(...n),o}function yt(t,e){return[ca+t*hh,cs+e*uh]}function fh(t,e,{parent:n,kind:o}){let[s,i]=t?yt(t-1,n):[ca-In-16,cs],[r,a]=yt(t,e),l=s+In,[d,m,h]=[i+xt/2,a+xt/2,(l+r)/2];return re("path",{class:`line ${o}`,d:`M${l} ${d}C${h} ${d} ${h} ${m} ${r} ${m}`})}function gh(t,e,{kind:n,label:o,sum:s,description:i}){let[r,a]=yt(t,e),l=a+xt/2+4;return re("g",{class:`leaf ${n}`},re("title",{},i),re("rect",{x:r,y:a,width:In,height:xt,rx:6}),re("text",{class:"token",x:r+7,y:l},_(o)),re("text",{class:"sum",x:r+In-6,y:l},s))}var dh,la,mh,hh,uh,In,xt,ca,cs,ls,ma=b(()=>{D();ia();H();N();M();dh=C(S,aa),la=new L(t=>new ls(t)),mh="http://www.w3.org/2000/svg",hh=112,uh=32,In=92,xt=26,ca=56,cs=26;ls=class{box;constructor(e){dh(e),this.box=e.querySelector(".beam-tree"),this.box.tabIndex=0,this.box.setAttribute("role","region"),this.box.setAttribute("aria-label","Tree of beam search")}close(){this.box.replaceChildren()}show({columns:e,description:n}){let o=Math.max(...e.map(({nodes:d,more:m})=>d.length+(m?1:0))),[s,i]=yt(e.length,o),r=re("svg",{role:"img","aria-label":n,width:s,height:i,viewBox:`0 0 ${s} ${i}`}),a=re("g",{});r.append(a,re("text",{class:"head",x:4,y:cs+xt/2+4},"start")),e.forEach(({nodes:d,more:m},h)=>{r.append(re("text",{class:"head",x:yt(h,0)[0],y:16},`Round ${h+1}`)),d.forEach((f,g)=>{a.append(fh(h,g,f)),r.append(gh(h,g,f))});let[u,p]=yt(h,d.length);m&&r.append(re("text",{class:"head",x:u,y:p+xt/2+4},`${m} more dropped`))});let l=this.box.scrollLeft;this.box.replaceChildren(c("div","inside",r)),this.box.scrollLeft=l}}});var ua,ha=b(()=>{ua=`/* An answer, and below it a row for each token of the vocabulary. */
ol {
  list-style: none;
  margin: 0;
  padding: 0;
}
.generation {
  container-type: inline-size;
  display: flex;
  flex-direction: column;
  gap: 0.5rem;
}
.answer {
  display: flex;
  flex-wrap: wrap;
  gap: 0.3rem 0.7rem;
  min-height: 3rem;
}
.answer li {
  align-items: center;
  display: flex;
  flex-direction: column;
}
.answer .tok {
  background: color-mix(in srgb, currentColor 9%, transparent);
  min-height: 1.75rem;
}
.answer .forced {
  box-shadow: inset 0 0 0 2px #c8590b;
}
.tools {
  display: flex;
  flex-wrap: wrap;
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
`});var ga={};x(ga,{default:()=>kh});function kh({data:t,parentElement:e,setStateValue:n}){let o=pa.at(e);return qt=o,o.show(t),o.acts.adopt(t,s=>n("acts",s)),pa.leave(e)}var wh,pa,yh,fa,xh,qt,ds,ba=b(()=>{Ae();D();ha();ye();H();He();N();M();wh=C(G,S,ua),pa=new L(t=>new ds(t)),yh=900,fa="Play tokens",xh={ArrowRight:"next",ArrowLeft:"undo",p:"play",End:"finish",Home:"restart"},qt=null;document.addEventListener("keydown",t=>{if(!qt?.host.isConnected||!F(t))return;let e=xh[Fe(t)];e&&(t.preventDefault(),(!t.repeat||e==="next"||e==="undo")&&qt.act(e))});ds=class{host;undo;next;play;finish;restart;answer;announcement;heads;bars;more;cost;parts;acts=new B;data;timer=0;playing=!1;constructor(e){wh(e),this.host=e.host??e;let n=e.querySelector(".generation"),o=(i,r,a)=>{let l=E("small-button",i,()=>this.act(r));return l.setAttribute("aria-keyshortcuts",a),l};this.undo=o("Undo","undo","ArrowLeft"),this.next=o("Next token","next","ArrowRight"),this.play=o(fa,"play","P"),this.finish=o("Finish","finish","End"),this.restart=o("Start over","restart","Home"),this.answer=c("ol","answer"),this.answer.setAttribute("aria-label","Answer so far"),this.announcement=c("div","announcement"),this.announcement.setAttribute("role","status"),this.heads=c("div","bar heads small soft"),this.heads.setAttribute("aria-hidden","true"),this.bars=c("ol","bars"),this.bars.setAttribute("aria-label","Probabilities of the token"),this.more=c("div","small soft"),this.cost=c("div","small soft");let s=c("div","tools",this.undo,this.next,this.play,this.finish,this.restart);this.parts=[this.answer,s,this.announcement,this.heads,this.bars,this.more,this.cost],n.append(...this.parts)}close(){this.pause(),this.acts.release();for(let e of this.parts)e.remove();qt===this&&(qt=null)}act(e){if(e==="play")return this.playing?this.pause():this.begin();this.pause(),!((e==="next"||e==="finish")&&this.data.complete)&&((e==="undo"||e==="restart")&&!this.data.answer.length||(e==="restart"?this.acts.add("back","",0):this.acts.add(e)))}begin(){this.data.complete&&this.acts.add("back","",0),this.playing=!0,T(this.play,"Pause tokens"),this.tick()}pause(){clearTimeout(this.timer),this.playing=!1,T(this.play,fa)}tick(){clearTimeout(this.timer),this.timer=setTimeout(()=>{if(!this.host.isConnected)return this.pause();if(this.acts.pending.length)return this.tick();if(this.data.complete)return this.pause();this.acts.add("next"),this.tick()},yh)}show(e){this.data=e;let{answer:n,complete:o,ended:s,position:i,sampled:r}=e;this.undo.disabled=this.restart.disabled=!n.length,this.next.disabled=this.finish.disabled=o;let a=Math.max(...e.bars.map(({probability:w,drawn:k})=>Math.max(w,r?k:0))),l=n.map((w,k)=>this.token(w,k));ge(this.answer,l.length?l:[c("li","soft","No tokens yet")]);let d=e.bars.find(({id:w})=>w===e.chosen),m=r?`sampling probability ${z(d?.drawn??0)}`:z(d?.probability??0),h=`token ${i+1}, “${_(d?.label??"")}” (${m})`;T(this.announcement,s?`The answer is complete: ${h} ends it.`:o?`The answer has the largest length. The last is ${h}.`:`Next: ${h}. Click another token to use it instead.`);let u=["token","probability","",...r?["sampling probability",""]:[]].map(w=>c("span","",w));this.heads.replaceChildren(...u),this.heads.classList.toggle("sampled",r),this.bars.replaceChildren(...e.bars.map(w=>this.bar(w,a||1))),T(this.more,e.more?`${e.more} more tokens have ${z(e.rest)} together.`:"");let[p=0,f=0]=e.multiplications,g=f>p?`, ${(f/p).toFixed(1)} times as many`:"";T(this.cost,`To predict all tokens up to the next one, decoder and output layer need ${p.toLocaleString("en")} multiplications with a KV cache, which stores keys and values. Without it they need ${f.toLocaleString("en")}${g}.`)}token({label:e,forced:n,probability:o},s){let i=c("span","",_(e)),r=E(`tok${n?" forced":""}`,i,()=>{this.pause(),this.acts.add("back","",s)}),a=`${_(e)}, token ${s+1}, ${z(o)}${n?", forced":""}`;return r.setAttribute("aria-label",`${a}. Remove it and all later tokens`),r.title=`${a}. Click to remove it and all later tokens.`,c("li","",r,c("span","small soft",n?"forced":z(o)))}bar({id:e,label:n,probability:o,drawn:s,cut:i},r){let{chosen:a,position:l,sampled:d}=this.data,m=(g,w)=>{let k=c("span",`track ${w}`);return k.style.setProperty("--high",`${100*g/r}%`),k},h=g=>c("span","unseen",g),u=[h("Force "),c("span","tok",_(n)),m(o,i&&"cut")];u.push(h(": probability "),c("span","",z(o))),d&&(u.push(m(s,"drawn"),h(i?", ":", sampling probability ")),u.push(c("span",i?"soft":"",i?`cut by ${i}`:z(s))));let p=c("span",`bar${d?" sampled":""}`,...u),f=E("choice",p,()=>{this.pause(),this.acts.add("force","",[l,e])});return e===a&&f.setAttribute("aria-current","true"),c("li","",f)}}});var ya,wa=b(()=>{ya=`.zone {
  align-items: center;
  border: 1px dashed transparent;
  border-radius: 0.5rem;
  display: flex;
  flex-wrap: wrap;
  gap: 0.3rem 0.75rem;
}
.zone.over {
  border-color: var(--st-primary-color);
}
.zone button {
  border: 1px solid var(--st-border-color);
  border-radius: 0.5rem;
  font-size: 0.875rem;
  min-height: 2.5rem;
  padding: 0.25rem 0.75rem;
}
`});var ka={};x(ka,{default:()=>Lh});function Lh({data:t,parentElement:e,setTriggerValue:n}){let o=xa.at(e);return o.most=t.most,o.tell=s=>n("chosen",s),xa.leave(e)}function Eh(t){let e=new TextDecoder("latin1").decode(t.slice(0,1e3)).split(/\r\n?|\n/,2);for(let n of e){let o=/^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(n);if(o)return o[1].toLowerCase().replaceAll("_","-").replace(/^(iso-)?latin-1$/,"latin1")}return"utf-8"}var Th,xa,ms,va=b(()=>{D();wa();H();N();M();Th=C(S,ya),xa=new L(t=>new ms(t));ms=class{zone;most=0;tell;ended=new AbortController;constructor(e){Th(e);let n=Object.assign(c("input"),{type:"file",accept:".py",hidden:!0}),o=Object.assign(c("button","","Choose a .py file"),{type:"button"});this.zone=c("div","zone",o,n,c("span","soft","or drop it on this page")),e.querySelector(".check-file")?.replaceChildren(this.zone),o.addEventListener("click",()=>n.click()),n.addEventListener("change",()=>{this.take([...n.files??[]]),n.value=""});for(let s of["dragenter","dragover","dragleave","drop"]){let i={capture:!0,signal:this.ended.signal};addEventListener(s,r=>this.drag(r),i)}}drag(e){let n=[...e.dataTransfer?.items??[]].filter(({kind:o})=>o==="file");n.length!==1||/zip/.test(n[0].type)||(e.preventDefault(),e.stopImmediatePropagation(),this.zone.classList.toggle("over",e.type==="dragenter"||e.type==="dragover"),e.type==="drop"&&this.take([...e.dataTransfer?.files??[]]))}async take([e]){if(e){if(!/\.py$/i.test(e.name))return this.tell({problem:"other"});if(e.size>this.most)return this.tell({problem:"large"});try{let n=await e.arrayBuffer();this.tell({text:new TextDecoder(Eh(n),{fatal:!0}).decode(n)})}catch{this.tell({problem:"binary"})}}}close(){this.ended.abort()}}});var La,Ta=b(()=>{La=`/* Formula, statement and tensor side by side; below each other where it is narrow. */
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
  margin: 0;
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
  display: flex;
  flex-wrap: wrap;
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
`});var Bn,hs=b(()=>{Bn=`figure {
  margin: 0;
}
.picture {
  border: 1px solid var(--st-border-color);
  image-rendering: pixelated;
  margin-top: 0.3rem;
}
`});var Ea={};x(Ea,{picture:()=>kt});function kt(t,e,{head:n=0,long:o=Sh,most:s=0}={}){let{rows:{count:i},columns:{count:r},cells:a,values:l,kind:d}=t,m=Array.from(l).reduce((g,w)=>Number.isFinite(w)?Math.max(g,Math.abs(w)):g,0),h={kind:d==="tokens"?"signed":d,coloured:!0,most:s||m||1},u=l.subarray(n*a,(n+1)*a),p=Qe(c("canvas","picture"),Ye({...h,rows:i,columns:r,values:u},e)),f=Math.min(Ah,o/Math.max(i,r));return p.style.width=`${r*f}px`,p.style.height=`${Math.max(3,i*f)}px`,p.setAttribute("aria-hidden","true"),p}var Sh,Ah,Wn=b(()=>{X();M();Sh=180,Ah=10});var Ca={};x(Ca,{default:()=>$h,head:()=>Rh,symbols:()=>Hh});function $h({data:t,parentElement:e,setTriggerValue:n}){let o=Ma.at(e);return o.open=s=>n("open",s),o.show(V(t)),Ma.leave(e)}function Rh({data:t,parentElement:e}){ps(e);let{tensors:n,names:o}=V(t),s=P(e.host??e);e.querySelector(".one-head").replaceChildren(...n.map((r,a)=>c("figure","",c("figcaption","",Kt("name",o[a]),` (${r.rows.size}, ${r.columns.size})`),kt(r,s))))}function Hh({data:t,parentElement:e}){ps(e),e.querySelector(".symbols").replaceChildren(Kt("",t.table))}function Kt(t,e){let n=c("div",t);return n.innerHTML=e,n}var ps,Ma,us,Sa=b(()=>{Ae();D();Ta();hs();H();X();Ee();N();M();Wn();ps=C(G,S,Bn,La),Ma=new L(t=>new us(t));us=class{host;list;sizes;open=()=>{};constructor(e){ps(e),this.host=e.host??e,this.list=e.querySelector(".formula-rows"),this.sizes=new ResizeObserver(()=>this.reach()),this.sizes.observe(this.list)}reach(){this.list.querySelectorAll(".formula").forEach((e,n)=>{let o=e.scrollWidth>e.clientWidth,s={tabindex:"0",role:"region","aria-label":`Formula ${n+1}`};for(let[i,r]of Object.entries(s))o?e.setAttribute(i,r):e.removeAttribute(i)})}close(){this.sizes.disconnect(),this.list.replaceChildren()}show({tensors:e,rows:n}){let o=P(this.host);this.list.replaceChildren(...n.map((s,i)=>{let r=E("open",s.title,()=>this.open(s.name));r.title="Open in Step through";let a=s.repeated>1?c("span","soft",`, ${s.repeated} times`):null,l=c("div","where small soft",`${s.owner} · ${s.file}`);return c("article","row",c("div","what",c("h2","",r,a),Kt("formula",s.formula),c("div","small soft",s.source)),c("div","code",Kt("statement",s.statement),l),c("div","tensor",Kt("size small",s.shape),kt(e[i],o)))})),this.reach()}}});var Vn,fs=b(()=>{Vn=`/* Matrices of a lesson stand beside each other where there is room. */
.matrices {
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem 2rem;
}
figure {
  max-width: 100%;
}
.row-of {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1.25rem;
}
.matrix {
  max-width: 100%;
}
.matrix canvas {
  height: auto !important;
  max-width: 100%;
}
.scroller {
  max-width: 100%;
  overflow-x: auto;
}
.matrices table {
  border-collapse: separate;
  border-spacing: 2px;
  font-variant-numeric: tabular-nums;
}
.matrices td {
  border-radius: 0.2rem;
  padding: 0.15rem 0.45rem;
  text-align: right;
}
.matrices th {
  font-weight: 500;
  padding: 0 0.4rem;
  text-align: left;
  white-space: nowrap;
}
.matrices thead th {
  text-align: right;
}
.grid caption {
  padding-bottom: 0.2rem;
  text-align: left;
}
.grid {
  max-width: 100%;
  overflow-x: auto;
}
.grid th {
  font-weight: 500;
  padding-right: 0.4rem;
  text-align: left;
  white-space: nowrap;
}
.grid input {
  appearance: textfield;
  background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color);
  border-radius: 0.25rem;
  color: inherit;
  font: inherit;
  font-variant-numeric: tabular-nums;
  padding: 0.15rem 0.25rem;
  width: clamp(2.9rem, 13vw, 3.3rem);
}
`});var $a={};x($a,{default:()=>zh});function zh({data:t,parentElement:e,setStateValue:n}){let o=Aa.at(e);return o.tell=s=>n("cells",s),o.show(t),Aa.leave(e)}var Nh,Aa,gs,Ra=b(()=>{Ae();D();fs();H();N();M();Nh=C(G,S,Vn),Aa=new L(t=>new gs(t));gs=class{box;shown="";fields=[];tell=()=>{};constructor(e){Nh(e),this.box=e.querySelector(".grid")}close(){this.box.replaceChildren()}show(e){let n=JSON.stringify(e);if(this.shown===n)return;this.shown=n,this.fields=e.values.map((i,r)=>i.map((a,l)=>this.field(e,a,r,l)));let o=this.fields.map((i,r)=>{let a=c("th","small",e.rows[r]);return a.scope="row",c("tr","",a,...i.map(l=>c("td","",l)))}),s=c("table","",c("caption","small soft",e.label),c("tbody","",...o));this.box.replaceChildren(s)}field({label:e,rows:n,bound:o},s,i,r){let a=c("input");return Object.assign(a,{type:"number",step:"0.1",min:`${-o}`,max:`${o}`,value:`${Number(s.toFixed(4))}`}),a.setAttribute("aria-label",`${e}, ${n[i]}, number ${r+1}`),a.addEventListener("change",()=>{let l=Math.min(Math.max(Number(a.value)||0,-o),o);a.value=`${l}`,this.tell(this.fields.map(d=>d.map(m=>Number(m.value))))}),a}}});var _a={};x(_a,{Fields:()=>Ve,Live:()=>ie,listen:()=>jn});function jn(t,e){let n=We.get(t);n||We.set(t,n={version:0,listeners:new Set,whole:null});let{listeners:o,whole:s}=n;return s?e(s):[n.version,ws]=[0,!0],o.add(e),Gn(Ha),()=>{o.delete(e),Gn(Ha)}}function Gn(t){clearTimeout(fe.open),fe.open=setTimeout(Ia,t)}function Ia(){for(let[e,{listeners:n}]of We)n.size||We.delete(e);let t=[...We.keys()].sort().join(`
`);Jt&&t===bs&&!ws||(Un(),[bs,ws]=[t,!1],!(!We.size||document.hidden&&ys)&&(Jt=performance.now()<ks?_h():Uh()))}function Un(){Jt?.(),Jt=null,clearTimeout(fe.watch)}function vs(){Un(),Ia()}function Ba(){Un(),Gn(ja())}function Uh(){let t=new EventSource(Ua());return Ga(za,()=>Va("")),t.onmessage=({data:e})=>{Na(),Fa(e)},t.addEventListener("beat",Na),t.onerror=()=>{if(t.readyState!==EventSource.CLOSED)return Ba();clearTimeout(fe.watch),Jt=Fh()},()=>t.close()}function Fh(){let t=new AbortController;return Wa("",t.signal).then(e=>{t.signal.aborted||(e?.status===429?Va(e.text):Ba())}),()=>t.abort()}function _h(){let t=new AbortController,e=0,n=async()=>{let o=await Wa("&once=1",t.signal);if(t.signal.aborted)return;let s=o?.status===200;if(s){xs=0;for(let i of o.text.split(`
`))i.startsWith("data: ")&&Fa(i.slice(6))}if(performance.now()>=ks)return vs();e=setTimeout(n,s?Da?Ih:Dh:ja())};return n(),()=>{t.abort(),clearTimeout(e)}}async function Wa(t,e){try{let n=await fetch(Ua(t),{signal:AbortSignal.any([e,AbortSignal.timeout(za)])});return{status:n.status,text:await n.text()}}catch{return null}}function Va(t){ks=performance.now()+Wh*2**Math.min(Pa++,Vh),Da=!!t,Ts(t),vs()}function Na(){xs=Pa=0,Ts(""),Ga(Ph,vs)}function Ts(t){clearTimeout(fe.notice),T(jh,t),t&&(fe.notice=setTimeout(Ts,Bh,""))}function Ga(t,e){clearTimeout(fe.watch),fe.watch=setTimeout(e,t)}function ja(){return Oa[Math.min(xs++,Oa.length-1)]*(1+Math.random()/2)}function Ua(t=""){let e=new URLSearchParams([...We].map(([n,{version:o}])=>["c",`${n}@${o}`]));return new URL(`./live?${e}${t}`,document.baseURI)}function Fa(t){let e=JSON.parse(t),n=We.get(e.channel);if(n){if(e.version?n.version=e.version:e.gone&&([n.version,n.whole]=[1,null]),e.fields){let o=e.whole?{}:n.whole?.fields;n.whole={...e,whole:!0,fields:{...o,...e.fields}}}for(let o of[...n.listeners])try{o(e)}catch(s){console.error(s)}}}var Ha,Ph,za,Dh,Ih,Bh,Wh,Vh,Gh,Oa,We,Jt,bs,ws,xs,Pa,ks,Da,fe,ys,jh,Ve,ie,$e=b(()=>{M();Ha=30,Ph=12e4,za=5e3,Dh=1e3,Ih=3e3,Bh=8e3,Wh=6e4,Vh=6,Gh=5e3,Oa=[500,1e3,2e3,4e3,8e3],We=new Map,Jt=null,bs="",ws=!1,xs=0,Pa=0,ks=0,Da=!1,fe={open:0,watch:0,hide:0,notice:0},ys=!1,jh=ct();document.addEventListener("visibilitychange",()=>{if(clearTimeout(fe.hide),ys=!1,!document.hidden)return Gn(0);fe.hide=setTimeout(()=>{ys=!0,Un(),bs=""},Gh)});Ve=class{close;values={};at=0;gone=!1;constructor(e,n){let o=!1;this.close=jn(e,s=>{this.gone=!!s.gone,s.gone||(this.values=s.whole?s.fields:{...this.values,...s.fields},this.at=s.at),o&&n()}),o=!0}},ie=class{changed;channel="";at=0;now={};fields=null;constructor(e){this.changed=e}show({channel:e,at:n,now:o}){e!==this.channel&&(this.close(),this.fields=e?new Ve(e,this.changed):null),Object.assign(this,{channel:e,at:n,now:o})}get isNewer(){return this.fields!==null&&this.fields.at>this.at}get values(){return this.fields&&this.isNewer?this.fields.values:this.now}close(){this.fields?.close()}}});var Ka={};x(Ka,{Store:()=>Xt,after:()=>Ge,nearest:()=>ae,smoothed:()=>Ms,storeOf:()=>Ls,storeOfCheckpoint:()=>Es});function Ls(t,e){let n=qa.get(t);return n||qa.set(t,n=new Xt),n.users.size||(n.unlisten=jn(`curves/${t}`,o=>n.take(o))),n.users.add(e),n}function Es(t,e){let n=new Xt;return n.users.add(e),n.fetch(new URL(`./library/${encodeURIComponent(t)}/curves`,document.baseURI)),n}function Ge(t,e){let n=0,o=t.length;for(;n<o;){let s=n+o>>1;t[s]<=e?n=s+1:o=s}return n}function ae(t,e){if(e===null||!t.length)return t.length-1;let n=Ge(t,e);return n===0?0:n===t.length?n-1:t[n]-e<e-t[n-1]?n:n-1}function Ms({steps:t,values:e},n){if(!n)return e;let o=0,s=0,i=t[0];return e.map((r,a)=>{let l=Math.exp((i-t[a])/n);return i=t[a],o=o*l+r,s=s*l+1,o/s})}var qh,Kh,Jh,qa,Xt,vt=b(()=>{Ke();$e();qh=1e4,Kh="This run no longer exists.",Jh="Server not responding. Retrying ...",qa=new Map;Xt=class{version=0;tables={};more={};problem="";users=new Set;unlisten=null;#e=new Map;leave(e){this.users.delete(e),this.users.size||this.unlisten?.()}async fetch(e){try{let n=await Le(e,qh);if(n.ok)return this.take(await n.json());this.problem=await n.text()}catch{this.problem=Jh}for(let n of this.users)n()}take({channel:e,version:n,gone:o,tables:s={},...i}){this.problem=o?Kh:"",this.version=n;for(let[r,{all:a,gone:l,rows:d}]of Object.entries(s)){let m=a?[]:this.tables[r]??[],h=new Set(l);this.tables[r]=[...h.size?m.filter((u,p)=>!h.has(p)):m,...d]}this.more={...this.more,...i},this.#e.clear();for(let r of this.users)r()}rows(e,n){let o=this.tables[e]??[],s=n??1/0;return(o.at(-1)?.[0]??0)<=s?o:o.filter(([i])=>i<=s)}column(e,n,o,s={}){let i=`${e} ${n}`,r=this.#e.get(i);if(!r){let d=(this.tables[e]??[]).filter(h=>h[n]!==null&&h[n]!==void 0),m=Object.entries({steps:0,values:n,...s});r=Object.fromEntries(m.map(([h,u])=>[h,d.map(p=>p[u])])),this.#e.set(i,r)}let a=o??1/0;if((r.steps.at(-1)??0)<=a)return r;let l=Ge(r.steps,a);return Object.fromEntries(Object.entries(r).map(([d,m])=>[d,m.slice(0,l)]))}}});var Xa={};x(Xa,{chartTheme:()=>Cs,colourOf:()=>ot,config:()=>Ss,dashOf:()=>Yt});function Cs(t,e){let n=P(t),o=getComputedStyle(t),s=parseFloat(getComputedStyle(document.documentElement).fontSize),i=document.documentElement.hasAttribute("data-present")?1.25:1,r=s/16*i,a=n.background[0]+n.background[1]+n.background[2]<384;return{...n,scale:r,dark:a,family:o.getPropertyValue("--st-font").trim()||"sans-serif",fontSize:.6875*s*i,colours:e[a?"dark":"light"],room:{left:Math.round(42*r),right:Math.round(10*r),top:Math.round(7*r),bottom:Math.round(20*r)},right:a?{fill:"#2a9d95",ink:"#06201e"}:{fill:"#0b7f7a",ink:"#fff"},wrong:a?{fill:"#43262a",ink:"#ff9d94"}:{fill:"#fbe3e0",ink:"#b3261e"}}}function ot(t,e){return t.colours[e%t.colours.length]}function Yt(t){return Ja[t%Ja.length]}function Ss(t){let{labels:e,ink:n,fontSize:o,family:s,scale:i}=t,r=J(Ne(t.background,[128,128,128],.28)),a=J(Ne(t.background,[128,128,128],.6));return{autosize:{type:"none"},padding:t.room,background:null,font:s,view:{stroke:null},axis:{labelColor:e,labelFontSize:o,labelPadding:4*i,labelLimit:t.room.left-6,tickColor:a,tickSize:4*i,domainColor:a,gridColor:r},axisX:{labelFlush:!0,labelLimit:80*i},text:{color:n,fontSize:o,font:s},rule:{color:n},range:{heatmap:t.probability.map(J),ramp:t.probability.map(J)}}}var Ja,Fn=b(()=>{X();Ja=[[1,0],[6,3],[2,2],[9,3,2,3],[12,4],[4,2,1,2],[1,3],[14,3,4,3]]});var ol={};x(ol,{Chart:()=>Tt,Panel:()=>je,figure:()=>nl,ownStyle:()=>$s});function eu(t){let e=Za.then(t);return Za=e.then(()=>new Promise(n=>setTimeout(n,Xh)),()=>{}),e}function nl(t){if(t===0)return"0";let e=Math.abs(t);return e<1e-4||e>=1e5?t.toExponential(2):e>=100?t.toFixed(1):String(Number(t.toPrecision(4)))}function tu({low:t,high:e},n){let[o,s]=[t?.[n],e?.[n]];return typeof o=="number"&&typeof s=="number"?[o,s].map(i=>z(i).replace(" %","")).join("-"):""}function As(t){return t?`n = ${t.toLocaleString("en-US")}`:""}function el(t){return t.reduce((e,{steps:n})=>n.length>e.length?n:e,[])}function nu({name:t,colour:e,dash:n}){let o=c("span","item");o.innerHTML='<svg viewBox="0 0 18 8" aria-hidden="true"><path d="M0 4h18"/></svg>';let s=o.querySelector("path");s&&Object.assign(s.style,{stroke:e,strokeDasharray:n.join(" ")});let i=c("b"),r=c("small"),a=c("span");return t&&o.append(Object.assign(c("span","name cut",t),{title:t})),r.append(a),o.append(i,r),{node:o,value:i,apart:a}}function $s(t,e){return{colour:ot(t,e),dash:e?[[1,0],[6,3],[2,2],[9,3,2,3]][e%4]:[1,0]}}var Xh,Ya,Yh,Qh,Qa,tl,Zh,Za,je,Tt,Qt=b(()=>{vt();Fn();M();Xh=16,Ya=4,Yh=40,Qh=6,Qa=12,tl="Held-out inputs tested",Zh=13,Za=Promise.resolve();je=class{board;panel;node;title;tested;step;legend;plot;constructor(e,n){this.board=e,this.panel=n;let o=n.kind==="lines"&&n.measures.some(([s])=>e.library?.measures[s].grouped);this.node=c("section",`panel ${n.name}${n.share?" share":""}${o?" grouped":""}`),this.node.dataset.kind=n.kind,this.node.style.setProperty("--width",String(n.width)),this.node.dataset.panel=n.name,this.node.setAttribute("aria-label",n.title),this.title=c("h2","cut",n.title),n.help&&(this.title.title=n.help),this.tested=Object.assign(c("span","tested"),{title:tl}),this.step=c("span","step"),this.legend=c("div","legend"),this.plot=c("div","plot"),this.node.append(c("header","",this.title,this.tested,this.step),this.legend,this.plot)}},Tt=class extends je{picture;rule;chip;brush;dots;empty;series=[];items=[];named="";cells=null;view=null;key="";room=0;width=0;height=0;logged=!1;pointed;finalize;constructor(e,n){super(e,n),this.picture=c("div","picture"),this.rule=c("div","rule"),this.chip=c("div","chip"),this.brush=c("div","brush"),this.dots=c("div","dots"),this.empty=c("div","empty","Appears after the next evaluation."),this.plot.append(this.picture,this.brush,this.rule,this.dots,this.chip,this.empty),this.plot.tabIndex=0,this.plot.setAttribute("role","slider"),this.plot.setAttribute("aria-label",`${n.title}, by step`),this.listen()}close(){this.key="closed",this.finalize?.(),this.node.remove()}setLines(e){this.series=e;let n=e.map(({key:o,name:s,colour:i,dash:r})=>[o,s,i,r]);JSON.stringify(n)!==this.named&&(this.named=JSON.stringify(n),this.items=e.map(nu),this.legend.replaceChildren(...this.items.map(o=>o.node)),this.dots.replaceChildren(...e.map(({colour:o})=>{let s=c("i");return s.style.background=o,s})))}setCells(e){this.cells=e}get steps(){return this.cells?.steps??el(this.series.filter(({beside:e})=>!e))}get reach(){return this.cells?.steps??el(this.series)}get margins(){let{room:e,scale:n}=this.board.theme;return{...e,top:e.top+(this.panel.kind==="lines"?this.board.lanes*Qa*n:0)}}measure(){let{left:e,right:n,top:o,bottom:s}=this.margins;this.room=this.plot.clientWidth,this.width=Math.max(10,this.room-e-n),this.height=Math.max(10,this.plot.clientHeight-o-s)}draw(){let{board:e}=this;if(this.empty.hidden=this.steps.length>0,!this.room||(this.prepare(),!this.view))return;let{first:n,last:o}=e.axis,s=this.cells?this.cellRows(this.cells,n,o):this.lineRows(n,o);this.view.padding(this.margins).width(this.width).height(this.height).signal("first",n).signal("last",o).data("rows",s).data("changes",e.changes()).run(),this.point(e.step)}async prepare(){let{board:e,panel:n}=this,{theme:o,library:s}=e;if(!s)return;let i=!!(n.log&&e.look.log),r=JSON.stringify([e.themeKey,i,this.named??""]);if(r===this.key)return;this.key=r;let a=n.kind==="lines"&&n.share?"shares":n.kind,l={width:100,height:100,...structuredClone(s.specs[a])};if(n.kind==="lines"&&this.dressLines(l,i),n.kind==="predictions"){let{right:u,wrong:p}=o,f={rightFill:u.fill,rightInk:u.ink,wrongFill:p.fill,wrongInk:p.ink};for(let g of l.params)g.value=f[g.name]??g.value}let d=c("div","sheet"),m={mode:"vega-lite",config:Ss(o),renderer:"canvas",actions:!1,tooltip:!1},h=await eu(async()=>r===this.key?s.embed(d,l,{...m,ast:!0,defaultStyle:!1,logLevel:1}):null);if(r!==this.key||!h)return h?.finalize();this.finalize?.(),this.finalize=()=>h.finalize(),this.view=h.view,this.logged=i,this.picture.replaceChildren(d),this.measure(),this.draw()}dressLines(e,n){let o=this.series.map(({key:r})=>r),s=this.series.map(({colour:r})=>r),i=this.series.map(({dash:r})=>r);for(let{encoding:r}of e.layer)r?.color&&(r.color.scale={domain:o,range:s},r.strokeDash&&(r.strokeDash.scale={domain:o,range:i}),n&&(r.y.scale={type:"log"},r.y.axis={...r.y.axis,labelOverlap:!0}))}lineRows(e,n){let o=this.panel.noisy?this.board.look.smoothing:0,s=this.logged,i=[],r=0,a=[...this.series].sort((l,d)=>Number(d.beside??!1)-Number(l.beside??!1));for(let l of a){let d=Ms(l,o),m=Math.max(0,Ge(l.steps,e-1e-9)-1),h=Math.min(l.steps.length,Ge(l.steps,n)+1);r=Math.max(r,h-m);for(let u=m;u<h;u++)s&&!(l.values[u]>0)||i.push({step:l.steps[u],value:l.values[u],smooth:d[u],low:l.low?.[u],high:l.high?.[u],series:l.key})}return this.view.signal("rawOpacity",o?.28:1).signal("rawWidth",(o?1:2)*this.board.theme.scale).signal("smoothWidth",2*this.board.theme.scale).signal("lineHeight",Qa*this.board.theme.scale).signal("lanes",this.board.lanes).signal("smoothOpacity",o?1:0).signal("pointSize",!o&&r<=Yh?18*this.board.theme.scale:0),i}cellRows({steps:e,rows:n,names:o,cell:s},i,r){let a=Math.max(0,Ge(e,i)-1),l=Ge(e,r),d=Math.max(1,Math.ceil((l-a)*Qh/this.width)),m=[];for(let p=l-1;p>=a;p-=d)m.unshift(p);m.length&&m[0]!==a&&m.unshift(a);let h=[],u=1/0;return m.forEach((p,f)=>{let[g,w]=[f-1,f+1].map(y=>(e[p]+e[m[y]])/2),k=f?g:e[p],R=f+1<m.length?w:Math.max(this.board.newest,f?e[p]:e[p]+1);u=Math.min(u,(R-k)/(r-i)*this.width);for(let y=0;y<o.length;y++){let A=s(n[p],y);A&&h.push({step:k,until:R,position:y,...A})}}),this.panel.kind==="predictions"&&this.view.signal("roomy",u>=Zh*this.board.theme.scale&&this.height/o.length>this.board.theme.fontSize),this.view.signal("names",o.map(_)),h}toSVG(){return this.view.toSVG()}x(e){let{first:n,last:o}=this.board.axis;return this.board.theme.room.left+(e-n)/(o-n)*this.width}point(e){let{board:n}=this;if(!this.room)return;let{first:o,last:s}=n.axis,i=this.steps,r=ae(i,e),a=r<0?null:i[r];this.step.textContent=a===null?"":`step ${a.toLocaleString("en-US")}`;let l=e!==null&&e>=o&&e<=s;if(this.rule.hidden=this.chip.hidden=!l,l){let m=this.x(e),{top:h,bottom:u}=this.margins;this.rule.style.cssText=`left:${m}px;top:${h}px;bottom:${u}px`,this.chip.textContent=e.toLocaleString("en-US"),this.chip.style.left=`${Math.min(Math.max(m,16),this.room-16)}px`}let d=this.cells?this.tellCells(this.cells,r):this.tellLines(e,a,l);this.plot.setAttribute("aria-valuemin",String(i[0]??0)),this.plot.setAttribute("aria-valuemax",String(i.at(-1)??0)),this.plot.setAttribute("aria-valuenow",String(a??0)),this.plot.setAttribute("aria-valuetext",a===null?"nothing measured yet":`step ${a}: ${d}`)}tellLines(e,n,o){let s=this.panel.share?z:nl,i=o&&this.view?this.view.scale("y"):null,{first:r,last:a}=this.board.axis,l=this.dots.querySelectorAll("i"),d=this.series[0]?.tested?.[ae(this.series[0].steps,e)];return T(this.tested,As(d)),[...this.series.map((h,u)=>{let p=ae(h.steps,h.beside?e??n:e),f=this.items[u],g=p<0?"–":s(h.values[p]);T(f.value,g);let w=p>=0&&h.steps[p]!==n?`at ${h.steps[p].toLocaleString("en-US")}`:"",k=h.tested?.[p]===d?"":As(h.tested?.[p]),R=tu(h,p),y=[w,R,k].filter(Boolean).join(", ");T(f.apart,y),f.apart.title=R?`95 % interval ${R} %. n: ${tl.toLowerCase()}`:y;let A=l[u],v=i&&p>=0?i(h.values[p]):NaN;return A.hidden=!Number.isFinite(v)||h.steps[p]<r||h.steps[p]>a,A.hidden||(A.style.transform=`translate(${this.x(h.steps[p])}px, ${v+this.margins.top}px)`),`${h.name} ${g} ${y}`.trim()}),As(d)].filter(Boolean).join(", ")}tellCells({rows:e,names:n,tell:o,sum:s},i){let r=this.pointed===void 0?null:Math.floor(this.pointed*n.length),a=i<0?"":r!==null&&r>=0&&r<n.length?o(e[i],r):s(e[i]);return T(this.legend,a),a}listen(){let{plot:e,board:n}=this,o=l=>l.clientX-e.getBoundingClientRect().left,s=l=>{let{first:d,last:m}=n.axis;return d+(l-n.theme.room.left)/this.width*(m-d)},i=l=>{let{first:d,last:m}=n.axis,{reach:h}=this,u=ae(h,s(l)),p=[u,u+1,u-1].find(f=>h[f]>=d&&h[f]<=m);return h[p??u]??null},r=l=>{let d=e.getBoundingClientRect();this.pointed=(l.clientY-d.top-this.margins.top)/this.height,n.rest(()=>i(l.clientX-e.getBoundingClientRect().left))},a=null;e.addEventListener("pointerdown",l=>{l.button!==0||!n.theme||(a={x:o(l),touch:l.pointerType==="touch"},a.touch?r(l):e.setPointerCapture(l.pointerId))}),e.addEventListener("pointermove",l=>{let d=!l.movementX&&!l.movementY;if(!n.theme||n.slide&&d||(r(l),!a||a.touch))return;let[m,h]=[a.x,o(l)].sort((p,f)=>p-f),{left:u}=n.theme.room;this.brush.hidden=h-m<=Ya,this.brush.style.left=`${Math.max(m,u)}px`,this.brush.style.width=`${Math.min(h,u+this.width)-Math.max(m,u)}px`}),e.addEventListener("pointerup",l=>{if(!a)return;let{x:d,touch:m}=a;a=null,this.brush.hidden=!0;let h=o(l);m?n.hold(i(h)):Math.abs(h-d)>Ya?n.zoom(s(Math.min(d,h)),s(Math.max(d,h))):n.clicked(i(h))}),e.addEventListener("pointercancel",()=>{a=null,this.brush.hidden=!0}),e.addEventListener("pointerleave",l=>{this.pointed=void 0,l.pointerType!=="touch"&&n.rest(null)}),e.addEventListener("dblclick",()=>n.zoom()),e.addEventListener("keydown",l=>this.press(l)),e.addEventListener("blur",()=>e.clientWidth&&n.hold(null)),this.brush.hidden=!0}press(e){if(e.ctrlKey||e.altKey||e.metaKey)return;let{board:n}=this,{steps:o}=this;if(!o.length)return;let s=ae(o,n.step),i=e.shiftKey?10:1,r={ArrowLeft:s-i,ArrowRight:s+i,Home:0,End:o.length-1}[e.key];if(r!==void 0)n.hold(o[Math.min(Math.max(r,0),o.length-1)]);else if(e.key==="Enter")n.clicked(o[s]);else if(e.key==="Escape")n.hold(null);else if(e.key==="+"||e.key==="=")n.zoomAround(o[s],.5);else if(e.key==="-")n.zoomAround(o[s],2);else if(e.key==="0")n.zoom();else return;e.preventDefault(),e.stopPropagation()}}});var il={};x(il,{download:()=>Hs});async function Hs(t,e,n){let[o]=t.data.runs,s=t.single?o.name:"comparison";if(e==="csv"){for(let{id:h,name:u,shelf:p="runs"}of t.data.runs)Rs(new URL(`./${p}/${encodeURIComponent(h)}/metrics.csv`,document.baseURI).href,`${u}.csv`);return}let i=[s,n].filter(Boolean).join("-").replaceAll(/[^\p{L}\p{N}_-]+/gu,"-"),r=t.panels.filter(h=>"picture"in h),{text:a,width:l,height:d}=await ou(t,r.filter(({panel:h})=>!n||h.name===n)),m=URL.createObjectURL(new Blob([a],{type:"image/svg+xml"}));e==="svg"?Rs(m,`${i}.svg`):Rs(await iu(m,l,d),`${i}.png`),setTimeout(()=>URL.revokeObjectURL(m),6e4)}function Rs(t,e){let n=Object.assign(c("a"),{href:t,download:e});document.body.append(n),n.click(),n.remove()}async function ou(t,e){let n=e.map(({node:h})=>h.getBoundingClientRect()),o=Math.min(...n.map(h=>h.left)),s=Math.min(...n.map(h=>h.top)),i=Math.ceil(Math.max(...n.map(h=>h.right))-o)+2*_n,r=Math.ceil(Math.max(...n.map(h=>h.bottom))-s)+2*_n,{theme:a}=t,l=await Promise.all(e.map(async(h,u)=>{let p=await su(h);return`<g transform="translate(${n[u].left-o+_n}, ${n[u].top-s+_n})">${p}</g>`})),d=`rgb(${a.background.join(",")})`;return{text:`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${i}" height="${r}" viewBox="0 0 ${i} ${r}" font-family="${rl(a.family)}"><rect width="100%" height="100%" fill="${d}"/>${l.join("")}</svg>`,width:i,height:r}}async function su(t){let e=t.node.getBoundingClientRect(),n=[t.title,t.tested,t.step,...t.legend.querySelectorAll(".name, b, small")];t.legend.children.length||n.push(t.legend);let o=n.map(a=>ru(a,e)).join(""),s=[...t.legend.querySelectorAll("svg")].map(a=>{let l=a.getBoundingClientRect(),d=getComputedStyle(a.querySelector("path")??a),m=l.top-e.top+l.height/2;return`<path d="M${l.left-e.left} ${m}h${l.width}" fill="none" stroke="${d.stroke}" stroke-width="2" stroke-dasharray="${d.strokeDasharray==="none"?"":d.strokeDasharray}"/>`}).join(""),i=t.plot.getBoundingClientRect(),r=await t.toSVG();return`${o}${s}<g transform="translate(${i.left-e.left}, ${i.top-e.top})">${r}</g>`}function ru(t,e){let n=t.textContent;if(!n)return"";let o=t.getBoundingClientRect(),s=getComputedStyle(t);return`<text x="${o.left-e.left}" y="${o.top-e.top+o.height/2}" dominant-baseline="central" font-size="${s.fontSize}" font-weight="${s.fontWeight}" fill="${s.color}">${rl(n)}</text>`}function rl(t){return t.replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;")}async function iu(t,e,n){let o=new Image;o.src=t,await o.decode();let s=Object.assign(c("canvas"),{width:e*sl,height:n*sl});return me(s).drawImage(o,0,0,s.width,s.height),s.toDataURL("image/png")}var _n,sl,Os=b(()=>{M();_n=24,sl=2});var ll,al=b(()=>{ll=`.charts {
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
  flex-wrap: wrap;
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
.check,
.smoothing {
  align-items: center;
  cursor: pointer;
  display: flex;
  font-size: 0.92em;
  gap: 0.35rem;
  white-space: nowrap;
}
.check input,
.smoothing input {
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
.menu small {
  opacity: 0.8;
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
  margin: 0;
}
.tested {
  flex: none;
  font-size: 0.86em;
  margin-left: auto;
  opacity: 0.78;
}
/* It begins at the same position whatever its number. */
.step {
  flex: none;
  min-width: 4.8em;
  font-size: 0.86em;
  opacity: 0.78;
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
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
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
  opacity: 0.78;
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
  pointer-events: none;
}
.example[aria-checked="true"] {
  background: var(--st-secondary-background-color);
  border-color: var(--st-border-color);
}
.example small {
  grid-column: 1;
  opacity: 0.78;
}
.verdict {
  font-weight: 700;
}
.toks {
  align-items: stretch;
  flex-wrap: nowrap;
  gap: 0.12rem;
  min-height: 1.55rem;
  overflow: auto hidden;
  scrollbar-width: none;
}
.tok {
  border-radius: 0.3rem;
  flex: none;
  font-size: 0.92em;
  line-height: 1.55rem; /* the height of the row */
  min-width: 1.45em;
  padding: 0 0.1rem;
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
  overflow: auto;
  scrollbar-width: thin;
}
.heading {
  display: none;
}
.flow {
  align-items: start;
  display: grid;
  gap: 8px 16px;
  grid-template-columns: repeat(var(--across), 1fr);
}
.tile {
  flex: none;
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
`});var ml={};x(ml,{Examples:()=>Zt,compared:()=>dl});function dl(t,e){let n=t.length-e.length-lu,o=n>1?t.slice(0,-n):t,s=Array.from({length:Math.max(o.length,e.length)},(i,r)=>[o[r]??"",o[r]===e[r]?"":o[r]===void 0?"missing":"wrong"]);return n>1?[...s,[`+${n}`,"more"]]:s}function cl(t,e){let n=JSON.stringify(e);t.dataset.shown!==n&&(t.dataset.shown=n,t.replaceChildren(...e.map(([o,s])=>{let i=c("span",`tok ${s}`,o?_(o):" ");return s==="more"&&(i.title=`${o.slice(1)} more tokens`),i})))}var lu,Zt,Ns=b(()=>{Qt();vt();M();lu=2,Zt=class extends je{rows=[];predictions=[];steps=[];right=[];open=!1;named=()=>[];constructor(e,n){super(e,n),this.plot.classList.add("answers"),this.plot.setAttribute("role","radiogroup"),this.plot.setAttribute("aria-label","Selected example")}close(){this.node.remove()}fill(e,n){let{tokens:o=[],end:s,examples:i=[],open:r=!1}=n.more;for(this.open=r,this.legend.textContent=e.how,this.predictions=n.rows("predictions",e.upto),this.steps=this.predictions.map(([a])=>a),this.named=a=>a.filter(l=>l!==s).map(l=>o[l]),this.right=i.map(({right:a})=>this.named(a));this.rows.length>i.length;)this.rows.pop()?.node.remove();for(;this.rows.length<i.length;)this.rows.push(this.row(this.rows.length));this.rows.forEach((a,l)=>cl(a.reads,this.named(i[l].reads).map(d=>[d,""])))}row(e){let n=c("button","example");n.setAttribute("role","radio");let o=c("span","toks"),s=c("span","toks"),i=c("span","verdict");return n.append(c("small","","input"),o,c("small","","output"),s,i),n.addEventListener("click",()=>this.board.choose({example:e})),this.plot.append(n),{node:n,reads:o,says:s,verdict:i}}measure(){}draw(){this.point(this.board.step)}point(e){let n=ae(this.steps,e);this.step.textContent=n<0?"":`step ${this.steps[n].toLocaleString("en-US")}`,this.rows.forEach((o,s)=>{let i=this.right[s],r=this.predictions[n]?.[1][s],a=r?this.named(r):null,l=a?.length===i.length&&a.every((d,m)=>d===i[m]);cl(o.says,a?this.open?a.map(d=>[d,""]):dl(a,i):[]),o.verdict.textContent=!a||this.open?"":l?"✓":"✕",o.verdict.title=!a||this.open?"":l?"all correct":"has errors",o.node.setAttribute("aria-checked",String(s===this.board.example))})}}});var ul={};x(ul,{Heads:()=>en});async function hu(t,e){try{let n=await Le(t,cu,e);return n.ok?V(new Uint8Array(await n.arrayBuffer())):{problem:n.status===429?await n.text():""}}catch{return{problem:""}}}var cu,du,mu,hl,en,zs=b(()=>{Ke();Qt();vt();tt();nt();Ee();M();cu=1e4,du=300,mu=16,hl=26;en=class extends je{choice;group;empty;shown=null;themed="";at=null;kept=[];run=null;latest=new Te(du,hu);width=0;height=0;address=null;constructor(e,n){super(e,n),this.plot.classList.add("heads"),this.plot.setAttribute("role","group"),this.plot.setAttribute("aria-label","Attention weights"),this.choice=c("select","taps"),this.choice.setAttribute("aria-label","Which attention"),this.choice.addEventListener("change",()=>e.choose({tap:this.choice.value})),this.title.after(this.choice),this.group=new j(this.plot),this.empty=c("div","empty","Attention heads appear once the run has saved a step."),this.plot.append(this.empty),this.plot.addEventListener("pointermove",o=>this.look(o)),this.plot.addEventListener("pointerleave",()=>this.look(null))}close(){this.latest.forget(),this.node.remove()}fill(e,n){let{attentions:o=[],kept:s=[]}=n.more;this.run=e,this.kept=s.filter(r=>r<=(e.upto??1/0));let i=JSON.stringify(o);this.choice.dataset.shown!==i&&(this.choice.dataset.shown=i,this.choice.replaceChildren(...o.map(({tap:r,title:a})=>new Option(a,r)))),this.choice.value=this.board.attention?.tap??""}measure(){this.width=this.plot.clientWidth,this.height=this.plot.clientHeight}draw(){this.shown&&this.layout(),this.point(this.board.step)}point(e){let{board:n}=this;if(!this.run||!n.attention)return;let o=this.kept[0]===0?this.kept:[0,...this.kept],s=new URLSearchParams({step:String(o[ae(o,e)]),example:String(n.example),tap:n.attention.tap}),i=new URL(`./runs/${encodeURIComponent(this.run.id)}/attention?${s}`,document.baseURI).href;i!==this.address&&(this.address=i,this.latest.ask(i,r=>this.show(r)))}show(e){if(!("tensors"in e)){this.address=null,this.legend.textContent=e.problem;return}this.shown=e,this.empty.hidden=!0;let[n]=e.tensors;this.group.fill(n,se(n),{},this.board.theme,null),this.step.textContent=`step ${e.step.toLocaleString("en-US")}`,this.layout()}layout(){let{board:e}=this,{theme:n}=e;if(!this.width)return;this.themed!==e.themeKey&&(this.themed=e.themeKey,this.group.paint(n,null));let o=e.slide?Math.round(3*hl*n.scale):hl;_t(this.group,n,{width:this.width,height:this.height,gap:mu,most:o}),this.tell()}look(e){this.at=e&&{x:e.clientX,y:e.clientY},this.tell()}tell(){let e=this.group.point(this.at);!e&&this.shown&&(e=`example ${this.board.example+1}, with the model's own predictions`),T(this.legend,e)}toSVG(){let e=this.plot.getBoundingClientRect();return this.group.tiles.map(({canvas:n,title:o})=>{let s=n.getBoundingClientRect(),i=o.getBoundingClientRect();return`<text x="${i.left-e.left}" y="${i.top-e.top+i.height/2}" dominant-baseline="central" font-size="12" font-weight="600" fill="${this.board.theme.ink}">${o.textContent}</text><image href="${n.toDataURL()}" x="${s.left-e.left}" y="${s.top-e.top}" width="${s.width}" height="${s.height}"/>`}).join("")}get picture(){return this.plot}}});var fl={};x(fl,{toolbar:()=>Ds});function Ds(t){let e=c("span"),n=c("span"),o=qn("Step through",()=>t.open(t.step??t.newest)),s=qn("Latest",()=>t.hold(null)),i=qn("Whole run",()=>t.zoom()),r=c("span","word");r.setAttribute("role","status");let a=pl("Log scale",w=>t.change({log:w})),l=pl("Gradient norm",w=>t.observe(w)),d=Object.assign(c("input"),{type:"range",min:"0",max:String(Ps.length-1),step:"1"});d.setAttribute("aria-label","Smoothing");let m=c("output","over");d.addEventListener("input",()=>t.change({smoothing:Ps[Number(d.value)]}));let h=pu(t);o.title="Open this training step in Step through.";let u=c("output","now",n,e),p=c("span","acts",o,s,i),f=c("label","smoothing","Smoothing ",d,m),g=c("div","bar",u,p,r,f,a.node,l.node,h.node);return g.setAttribute("role","toolbar"),g.setAttribute("aria-label","Charts"),{node:g,say:w=>r.textContent=w,tell(w,k){T(n,`Step ${uu(w??k)}`),e.textContent=w===null?" (latest)":"",s.classList.toggle("unused",t.held===null),o.classList.toggle("unused",!t.data.opens||t.held===null)},update(){let{look:w,data:k}=t;a.input.checked=w.log,d.value=String(Ps.indexOf(w.smoothing)),m.textContent=w.smoothing?`over ${w.smoothing} steps`:"off",d.setAttribute("aria-valuetext",m.textContent),i.classList.toggle("unused",!t.zoomed),l.node.hidden=k.observes===null,l.input.disabled=!k.observes,l.node.title=k.observes===!1?"You can turn the gradient norm on or off only while the run trains.":"",l.input.checked=t.observed,h.update()}}}function uu(t){return t.toLocaleString("en-US")}function qn(t,e){let n=E("",t,e);return n.addEventListener("pointerdown",o=>o.preventDefault()),n}function pl(t,e){let n=Object.assign(c("input"),{type:"checkbox"});return n.addEventListener("change",()=>e(n.checked)),{node:c("label","check",n,t),input:n}}function pu(t){let e=c("select");e.setAttribute("aria-label","Which charts");let n=[["PNG","png"],["SVG","svg"],["CSV","csv"]].map(([a,l])=>{let d=qn(a,()=>{t.download(l,e.value),i.open=!1});return d.setAttribute("aria-label",`Download as ${a}`),d}),o=c("small","","PNG and SVG show the charts as drawn. CSV has every recorded step."),s=c("summary","","Download"),i=c("details","downloads",s,c("div","menu",e,c("div","kinds",...n),o)),r=a=>{i.open&&!a.composedPath().includes(i)&&(i.open=!1)};return i.addEventListener("toggle",()=>{i.open?document.addEventListener("pointerdown",r):document.removeEventListener("pointerdown",r)}),i.addEventListener("keydown",a=>{a.key!=="Escape"||!i.open||(i.open=!1,s.focus(),a.stopPropagation())}),{node:i,update(){let a=[["","All charts"],...t.panels.filter(d=>"picture"in d).map(({panel:d})=>[d.name,d.title])],l=JSON.stringify(a);e.dataset.names!==l&&(e.dataset.names=l,e.replaceChildren(...a.map(([d,m])=>new Option(m,d))))}}}var Ps,Is=b(()=>{M();Ps=[0,2,5,10,20,50,100,200,500,1e3,2e3,5e3]});var vl={};x(vl,{Board:()=>Jn,default:()=>xu,prepare:()=>ku});async function yu({program:t,specs:e},n,o){for(let s=wl.first;;s=Math.min(2*s,wl.most)){try{return await(Kn??=kl(t,e))}catch{Kn=null,n()}if(await new Promise(i=>setTimeout(i,s)),o())return null}}async function kl(t,e){let n=xl++?`?try=${xl}`:"",[{vegaEmbed:o},s]=await Promise.all([import(new URL(`./${t}${n}`,document.baseURI).href),fetch(new URL(`./${e}`,document.baseURI)).then(i=>i.json())]);return{embed:o,...s}}function xu({data:t,parentElement:e,setStateValue:n,setTriggerValue:o}){let s=yl.at(e);return s.open=i=>o("step",i),s.acts.adopt(t,i=>n("acts",i)),s.show(t),yl.leave(e)}function ku({data:{program:t,specs:e}}){(window.requestIdleCallback??setTimeout)(()=>(Kn??=kl(t,e)).catch(()=>Kn=null))}function Tu(t,e,n){let o=t.rows(n,e.upto).filter(r=>r.length>1),s=o.map(r=>r.slice(1)),i=s.reduce((r,a)=>Math.max(r,a.length),0);return{steps:o.map(([r])=>r),rows:s,names:Array.from({length:i},(r,a)=>String(a+1)),cell:(r,a)=>typeof r[a]=="number"&&{value:r[a]},tell:(r,a)=>typeof r[a]=="number"?`position ${a+1}: ${z(r[a])} right`:`position ${a+1}: not evaluated`,sum(r){let a=r.map((d,m)=>[d,m]).filter(([d])=>typeof d=="number"),l=a.reduce((d,m)=>m[0]<d[0]?m:d,a[0]??[0,0]);return a.length?`lowest: position ${l[1]+1}, ${z(l[0])} right`:""}}}function Lu(t,e,n){let{tokens:o=[],examples:s=[]}=t.more,i=t.rows("predictions",e.upto).filter(m=>m[1].length),r=i.map(m=>m[1][n]??[]),a=s[n]?.right??[],l=r.reduce((m,h)=>Math.max(m,h.length),a.length),d=m=>o[m]??"";return{steps:i.map(([m])=>m),rows:r,names:Array.from({length:l},(m,h)=>d(a[h])||"–"),cell:(m,h)=>(m[h]!==void 0||a[h]!==void 0)&&{token:d(m[h]),right:m[h]===a[h]},tell:(m,h)=>`position ${h+1}: predicted ${d(m[h])||"nothing"}, expected ${d(a[h])||"nothing"}`,sum:m=>`${a.filter((h,u)=>m[u]===h).length} of ${a.length} tokens right`}}var fu,gl,bl,wl,gu,bu,wu,yl,Kn,xl,Jn,vu,Tl=b(()=>{Ae();D();bt();al();ye();Qt();Os();vt();Fn();H();Ns();zs();ke();$e();Is();N();M();fu=250,gl=4,bl=7,wl={first:1e3,most:3e4},gu=[1,1.5,2,3,4,5,6,8,10],bu=C(G,S,ue,ll),wu={log:!1,smoothing:0,example:0,tap:""},yl=new L(t=>new Jn(t)),Kn=null,xl=0;Jn=class{host;root;bar;grid;observer;unwatch;size="";shown="";themeKey="";names="";channel="";alone=!1;closed=!1;acts=new B;stores=new Map;panels=[];look=wu;resting=null;held=null;zoomed=null;library=null;loading;data;theme;played=null;slide=null;open;news=0;frame=0;opening=0;constructor(e){this.host=e.host??e,bu(e),this.root=e.querySelector(".charts"),this.bar=Ds(this),this.grid=c("div","grid"),this.root.append(this.bar.node,this.grid),this.observer=new ResizeObserver(()=>this.fit()),this.observer.observe(this.root),this.unwatch=Ht.watch(n=>this.present(n)),document.addEventListener("keydown",this.letGo)}present(e){this.held=e&&this.slide?this.step:null,this.resting=null,this.slide=e,this.choosePanels(),this.fit(),this.shown&&this.point()}letGo=e=>{e.key!=="Escape"||!this.slide||this.held===null||(this.hold(null),e.preventDefault())};fit(){let e=`${this.root.clientWidth} ${this.panels.map(({plot:o})=>o.clientHeight)}`,n=e!==this.size;this.size=e,this.shown&&n&&(this.dress()?this.fill():this.redraw())}choosePanels(){this.grid.classList.toggle("presented",this.slide!==null);for(let{node:e,panel:n}of this.panels)e.classList.toggle("shown",!!this.slide?.panels.includes(n.name))}close(){this.closed=!0,cancelAnimationFrame(this.news),this.played?.close();for(let e of this.stores.values())e.leave(this.changed);this.observer.disconnect(),this.unwatch(),document.removeEventListener("keydown",this.letGo);for(let e of this.panels)e.close();this.root.replaceChildren()}async show(e){this.data=structuredClone(e),this.listen();for(let{id:n}of this.all)this.store(n);for(let[n,o]of this.stores)this.all.some(s=>s.id===n)||(o.leave(this.changed),this.stores.delete(n));this.loading??=yu(e,()=>this.bar.say("Charts didn't load. Retrying ..."),()=>this.closed),this.library??=await this.loading,!this.closed&&(this.dress(),this.panels.length||this.fill(),this.refresh())}get drawn(){return JSON.stringify([this.data,this.themeKey,this.all.map(({id:e})=>this.store(e).version)])}changed=()=>{cancelAnimationFrame(this.news),this.news=requestAnimationFrame(()=>this.refresh())};refresh(){if(this.closed||!this.data||!this.library)return;for(let o of this.all){let{more:s}=this.store(o.id);!o.channel&&s.step!==void 0&&Object.assign(o,{step:s.step,ended:s.ended})}let e=this.all.map(({id:o})=>this.store(o).problem).find(Boolean)??"",{drawn:n}=this;this.bar.say(e),n!==this.shown&&(this.shown=n,this.fill())}store(e){let n=this.stores.get(e);if(n)return n;let s=(this.all.find(i=>i.id===e)?.shelf==="library"?Es:Ls)(e,this.changed);return this.stores.set(e,s),s}listen(){let e=this.data.runs[0].channel??"";e!==this.channel&&(this.channel=e,this.played?.close(),this.played=e?new Ve(e,()=>{let n=this.played?.values??{},[o]=this.data.runs;o.channel===e&&n.step!==void 0&&Object.assign(o,{upto:n.step,step:n.step,ended:n.ended}),this.changed()}):null)}dress(){if(!this.library)return!1;let e=Cs(this.host,this.library.colours),n=JSON.stringify(e);if(n===this.themeKey)return!1;this.theme=e,this.themeKey=n;for(let[o,s]of Object.entries({right:e.right.fill,wrong:e.wrong.fill,miss:e.wrong.ink}))this.root.style.setProperty(`--${o}`,s);return!0}get observed(){let{id:e}=this.data.runs[0];return this.acts.pending.findLast(([,,n])=>n===e)?.[3]??this.data.observed}observe(e){this.acts.add("observe",this.data.runs[0].id,e),this.fill()}get single(){return this.data.runs.length===1}get all(){let{runs:e,beside:n}=this.data;return n?[...e,n]:e}fill(){let e=this.wanted(),n=e.map(({name:o})=>o).join(" ")+this.single;if(n!==this.names){this.names=n;let o=this.single===this.alone?new Map(this.panels.map(s=>[s.panel.name,s])):new Map;for(let s of this.panels)e.some(({name:i})=>i===s.panel.name&&o.has(i))||s.close();this.panels=e.map(s=>o.get(s.name)??new(vu[s.kind]??Tt)(this,s)),this.alone=this.single,this.grid.replaceChildren(...this.panels.map(({node:s})=>s)),this.choosePanels()}for(let o of this.panels)this.give(o);this.bar.update(),this.redraw()}wanted(){if(!this.library)return[];let{panels:e,compared:n,measures:o}=this.library,s=(i,{table:r,at:a,grouped:l})=>l?this.store(i.id).rows(r,i.upto).some(d=>d.length>1):this.store(i.id).column(r,a,i.upto).steps.length>0;return(this.single?e:n).filter(i=>{if(this.data.panels.length&&!this.data.panels.includes(i.name))return!1;let r=i.measures.map(([a])=>o[a]);return!i.if_measured||r.some(a=>a.on_request&&this.observed||this.data.runs.some(l=>s(l,a)))})}give(e){let{kind:n,measures:o}=e.panel,{runs:s}=this.data,[i]=s,r=this.store(i.id);if(!(e instanceof Tt))return e.fill(i,r);if(n==="positions")return e.setCells(Tu(r,i,o[0][0]));if(n==="predictions")return e.setCells(Lu(r,i,this.example));if(this.library?.measures[o[0][0]].grouped)return e.setLines(this.groups(r,i,o[0][0]));if(!this.single)return e.setLines(s.map((h,u)=>({key:h.id,name:h.name,colour:ot(this.theme,h.colour),dash:Yt(u),...this.column(h,o[0][0])})));let l=o.filter(([h])=>!h.startsWith("teacher_forced")||i.forced.includes(h)).map(([h,u],p)=>({key:h,name:u,...$s(this.theme,p),...this.column(i,h)})),{beside:d}=this.data,m=d&&{key:"beside",beside:!0,name:d.name,colour:ot(this.theme,bl),dash:Yt(bl)};e.setLines(m?[...l,{...m,...this.column(d,o[0][0])}]:l)}get example(){let{examples:e=[]}=this.store(this.data.runs[0].id).more;return Math.min(this.look.example,Math.max(0,e.length-1))}get attention(){let{attentions:e=[],attention:n}=this.store(this.data.runs[0].id).more;return e.find(({tap:o})=>o===this.look.tap)??e.find(({tap:o})=>o===n)??null}groups(e,n,o){let{groups:s={}}=e.more;return(s[o]??[]).map(([r,a],l)=>({tap:r,name:a,at:1+l})).filter(({tap:r})=>!r||r===this.attention?.tap).map(({name:r,at:a},l)=>({key:r,name:r,colour:ot(this.theme,l),dash:Yt(l+Math.floor(l/this.theme.colours.length)),...e.column(o,a,n.upto)}))}column(e,n){let{table:o,at:s,beside:i}=this.library.measures[n];return this.store(e.id).column(o,s,e.upto,i)}get newest(){return Math.max(0,...this.data.runs.map(e=>this.last(e)))}get end(){let{beside:e}=this.data;return Math.max(1,this.newest,e?this.last(e):0)}last({id:e,step:n,upto:o}){return o??Math.max(n,this.store(e).tables.steps?.at(-1)?.[0]??0)}get axis(){if(this.zoomed)return this.zoomed;let{end:e}=this;if(this.all.every(({ended:o})=>o))return{first:0,last:e};let n=10**Math.floor(Math.log10(e));return{first:0,last:gu.map(o=>o*n).find(o=>o>=e)??e}}zoom(e=0,n=1/0){let{end:o}=this,s=e<=0&&n>=o,i=Math.max(0,Math.floor(e));this.zoomed=s?null:{first:i,last:Math.max(Math.ceil(Math.min(n,Math.max(o,i+1))),i+1)},this.bar.update(),this.redraw()}zoomAround(e,n){let{first:o,last:s}=this.axis;this.zoom(e-(e-o)*n,e+(s-e)*n)}changes(){let[{id:e,upto:n}]=this.data.runs;return(this.single?this.store(e).more.changes??[]:[]).filter(({step:s})=>s<=(n??1/0)).map(({step:s,label:i},r)=>({step:s,label:i,line:r%gl}))}get lanes(){return Math.min(gl,this.changes().length)}redraw(){this.size=`${this.root.clientWidth} ${this.panels.map(({plot:e})=>e.clientHeight)}`;for(let e of this.panels)e.measure();for(let e of this.panels)e.draw();this.tell()}get step(){return this.resting?this.resting():this.held}rest(e){this.resting=e,e&&this.slide&&(this.held=null),this.point()}hold(e){this.held=e,e!==null&&(this.resting=null),this.point()}point(){cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>{let{step:e}=this;for(let n of this.panels)n.point(e);this.tell()})}tell(){this.bar.tell(this.step,this.newest)}clicked(e){let n=this.opening;clearTimeout(n),this.opening=0,!(e===null||!this.data.opens)&&(this.zoomed?n||(this.opening=setTimeout(()=>{this.opening=0,this.open(e)},fu)):this.open(e))}change(e){Object.assign(this.look,e),this.bar.update(),this.redraw()}choose(e){Object.assign(this.look,e),this.fill()}download(e,n){return Hs(this,e,n)}},vu={examples:Zt,attention:en}});var Ll={};x(Ll,{legendItems:()=>tn});function tn(t,e,n){let o=[],s=(u,...p)=>{let f=c("div","item",...p,c("span","",u));return o.push(f),f},i=(u,p,f)=>{let g=c("div","bar");g.style.background=`linear-gradient(to right, ${p.map(J).join(", ")})`;let w=c("div","ticks",...f.map(k=>c("span","",k)));s(u,c("div","",g,w))},r=(u,p)=>{let f=c("div","swatch");return f.style.background=p,s(u,f)},a=[...n.negative.slice(1).reverse(),...n.positive],l=u=>[`-${dt({},u)}`,"0",dt({},u)],d=new Set(t.map(u=>u.kind)),m=(u,p)=>{let f=new Map(p.map(g=>[g.most,g.tensor.output?"output":"input"]));for(let[g,w]of f)i(f.size>1?`${u}, ${w}`:u,a,l(g))};m("number",t.filter(u=>u.kind==="signed"&&u.coloured)),d.has("probability")&&i("probability",n.probability,["0","0.5","1"]),m("gradient dL/d…",e.filter(u=>u.coloured)),d.has("mask")&&r("allowed",J(n.allowed));let h=t.filter(u=>u.hidden);if(h.length){let u=p=>h.some(f=>f.hidden?.some(g=>g&p));r("hidden by the causal mask",Hn(n,Xe)).classList.toggle("unused",!u(Xe)),r("hidden by the padding mask",Hn(n,gt)).classList.toggle("unused",!u(gt))}return o}var Xn=b(()=>{X();M()});var Ws=ho(()=>{var Ml="[class*=st-key-play-] button",nn=null,El=new MutationObserver(()=>{if(!nn||nn.isConnected)return;if(document.activeElement!==document.body)return Bs(null);let t=document.querySelector(Ml);t instanceof HTMLElement&&t.focus({preventScroll:!0})});function Bs(t){nn=t,t?El.observe(document.body,{childList:!0,subtree:!0}):El.disconnect()}document.addEventListener("focusin",({target:t})=>Bs(t instanceof Element?t.closest(Ml):null));document.addEventListener("focusout",()=>{setTimeout(()=>{nn?.isConnected&&document.activeElement!==nn&&Bs(null)})})});var $l={};x($l,{default:()=>Cu});function Cu({data:t,parentElement:e,setTriggerValue:n}){return Al.at(e).show(t,()=>n("changed",!0)),Al.leave(e)}function Su(){let t=document.querySelector(`[${lt}]`);return t!==null&&t.getAttribute(lt)!=="notRunning"}function Au(t,e){let n=document.querySelector(t);n&&typeof e=="string"&&T(n,e)}var Dw,Eu,Cl,Sl,Mu,Al,Vs,Rl=b(()=>{Dw=Mt(Ws());$e();de();N();M();Eu=1e3,Cl=5e3,Sl=200,Mu=50,Al=new L(()=>new Vs);Vs=class{followed=new Map;data;ask;timer=0;drawn=0;asked=!1;reported=new WeakSet;busy=-Sl;show(e,n){if(this.ask=n,e.at===this.data?.at)return;let{shown:o={},again:s}=e;for(let[i,r]of this.followed)i in o||(r.close(),this.followed.delete(i));for(let i of Object.keys(o))this.followed.has(i)||this.followed.set(i,new Ve(i,()=>this.check()));Object.assign(this,{data:e,drawn:performance.now(),asked:!1}),clearTimeout(this.timer),s===void 0?this.check():this.repeat(1e3*s)}get news(){return Object.entries(this.data.shown??{}).flatMap(([e,n])=>{let o=this.followed.get(e);if(!o)return[];if(o.gone)return this.reported.has(o)?[]:[o];let s=Object.keys(n).map(i=>o.values[i]??null);return o.at&&JSON.stringify(s)!==JSON.stringify(Object.values(n))?[o]:[]})}check(){let{at:e,wait:n,texts:o={}}=this.data;for(let l of this.followed.values())if(l.gone||this.reported.delete(l),l.at>e)for(let[d,m]of Object.entries(o))Au(m,l.values[d]);if(this.asked)return;clearTimeout(this.timer);let{news:s}=this;if(!s.length)return;let i=performance.now(),r=s.every(l=>l.at<=e),a=this.drawn+Math.max(r?Eu:0,1e3*n)-i;if(a>0)return this.later(a);if(Su()&&(this.busy=i),i-this.busy<Sl)return this.later(Mu);this.asked=!0,this.later(Cl);for(let l of s)l.gone&&this.reported.add(l);this.ask()}later(e){this.timer=setTimeout(()=>{this.asked=!1,this.check()},e)}repeat(e){this.timer=setTimeout(()=>{this.ask(),this.repeat(Cl)},e)}close(){clearTimeout(this.timer);for(let e of this.followed.values())e.close()}}});var Ol,Hl=b(()=>{Ol=`.progress {
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
`});var zl={};x(zl,{default:()=>Hu});function Hu({data:t,parentElement:e}){return Nl.at(e).show(t),Nl.leave(e)}var Ru,Nl,Gs,Pl=b(()=>{D();Hl();H();$e();N();M();Ru=C(S,Ol),Nl=new L(t=>new Gs(t));Gs=class{status;text;fill;bar;root;live;data;constructor(e){Ru(e),this.status=c("span","status"),this.text=c("span","text"),this.fill=c("i"),this.bar=Object.assign(c("div","bar",this.fill),{role:"progressbar",ariaValueMin:"0",ariaValueMax:"100"}),this.root=c("div","progress",c("div","line",this.status," ",this.text),this.bar),this.root.dataset.testid="progress",e.append(this.root),this.live=new ie(()=>this.draw())}show(e){this.data=e,this.live.show(e),this.draw()}draw(){let{field:e,label:n}=this.data,o=e&&this.live.isNewer?this.live.values[e]:this.live.values;if(!o)return;let{status:s="",text:i,done:r,colour:a="gray",meaning:l=""}=o;T(this.status,s),this.status.title=l,T(this.text,i),this.status.style.color=`var(--st-${a}-text-color)`,this.status.style.background=`var(--st-${a}-background-color)`,this.status.hidden=!s,this.fill.className=r===null?"unknown":"",this.fill.style.width=r===null?"":`${100*r}%`,this.bar.ariaValueNow=r===null?null:String(Math.round(100*r)),this.bar.ariaLabel=n||`${s} ${i}`}close(){this.live.close(),this.root.remove()}}});var Il,Dl=b(()=>{Il=`/* The architecture diagram: what a page adds to the drawing, which has its own look. */
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
`});var Vl={};x(Vl,{default:()=>Pu,follow:()=>js,go:()=>Re,unfollow:()=>Us});function Pu({parentElement:t}){return Yn=Bl.at(t),Bl.leave(t)}function js(t,e,{parentElement:n,setStateValue:o}){_e.set(t,{...e,host:n.host??n}),Qn.adopt(e,s=>o("acts",s)),ne.set(t,e)}function Us(t){ne.set(t,null),_e.set(t,null)&&Qn.release()}function Wl(){return!!_e.value?.host.isConnected}function Re(t){return Wl()?(Qn.add("go","",t),innerWidth<Nu&&Yn?.host.scrollIntoView({behavior:q()?"auto":"smooth"}),!0):!1}function Du(t){te(t);let e=t.host??t;e.style.scrollMarginTop="4.5rem";let n=c("ol"),o=c("div","menu");o.setAttribute("role","menu"),o.setAttribute("popover","auto");let s=c("nav","crumbs",n,o);s.setAttribute("aria-label","Path of this operation");let i=c("nav","tour");i.setAttribute("aria-label","Short tour"),t.append(i,s);let r={host:e,tour:i,list:n,menu:o,close(){i.remove(),s.remove(),Yn===r&&(Yn=null),d()}},a=m=>m.target.closest("button"),l=()=>o.getRootNode().activeElement;n.addEventListener("click",m=>{let h=a(m);h&&(h===n.lastElementChild?.firstElementChild?Bu(r,h):Re({name:h.value}))}),o.addEventListener("click",m=>{let h=a(m);h&&(o.hidePopover(),Re({name:h.value}))}),o.addEventListener("keydown",m=>{let h=[...o.querySelectorAll("button")],u=h.findIndex(f=>f===l()),p={ArrowDown:u+1,ArrowUp:u-1+h.length,Home:0,End:h.length-1}[m.key];m.stopPropagation(),p!==void 0&&(m.preventDefault(),h[p%h.length].focus())}),o.addEventListener("toggle",m=>{let h=n.querySelector("button.last");h?.setAttribute("aria-expanded",String(m.newState==="open")),m.newState==="closed"&&o.contains(l())&&h?.focus()});let d=_e.watch(m=>m&&Iu(r,m));return r}function Iu({host:t,tour:e,list:n,menu:o},{lit:s,crumbs:i,stops:r=[]}){e.hidden=!r.length,t.closest(St)?.style.setProperty("flex-basis",r.length?"100%":"");let a=[...e.children],l=a.pop()??E("stop end","End tour",()=>Re({ends:!0}));ge(e,[...r.map(([h,u],p)=>{let f=a[p]??E("stop",`${p+1} ${h}`,()=>Re({name:f.value}));return f.value=u,u===s?f.setAttribute("aria-current","step"):f.removeAttribute("aria-current"),f}),l]);let d=e.querySelector("[aria-current]");for(d&&(e.scrollLeft=d.offsetLeft-(e.clientWidth-d.offsetWidth)/2),o.dataset.lit!==s&&o.matches(":popover-open")&&o.hidePopover(),o.dataset.lit=s;n.children.length>i.length;)n.lastElementChild?.remove();for(;n.children.length<i.length;)n.append(c("li","",Object.assign(c("button"),{type:"button"})));let m=n.querySelectorAll("button");i.forEach(([h,u],p)=>{let f=m[p],g=p===i.length-1;T(f,h),f.value=u,f.classList.toggle("last",g);for(let[w,k]of[["aria-current","step"],["aria-haspopup","menu"],["aria-expanded","false"]])g?f.setAttribute(w,k):f.removeAttribute(w)}),n.scrollLeft=n.scrollWidth}function Bu({menu:t},e){let n=_e.value?.lit,o=n===void 0?[]:ht.value?.(n)??[];if(!o.length)return;t.replaceChildren(...o.map(({label:l,name:d})=>{let m=Object.assign(c("button","",l),{type:"button",value:d,tabIndex:-1});return m.setAttribute("role","menuitem"),d===n&&m.setAttribute("aria-current","step"),m})),t.showPopover();let s=e.getBoundingClientRect(),{offsetWidth:i,offsetHeight:r}=t,a=innerHeight-s.bottom-8;t.style.left=`${Math.max(8,Math.min(s.left,document.documentElement.clientWidth-i-8))}px`,t.style.top=`${r<=a?s.bottom+4:Math.max(8,innerHeight-r-8)}px`,(t.querySelector("[aria-current]")??t.firstElementChild)?.focus()}var Nu,zu,Bl,Qn,Yn,on=b(()=>{ye();H();He();de();N();M();ke();Nu=640,zu={ArrowRight:["operation",1],ArrowLeft:["operation",-1],PageDown:["operation",1],PageUp:["operation",-1],"Shift+ArrowRight":["sublayer",1],"Shift+ArrowLeft":["sublayer",-1],".":["time",1],",":["time",-1],g:["gradient",1]},Bl=new L(t=>Du(t)),Qn=new B,Yn=null;document.addEventListener("keydown",t=>{if(!Wl()||!F(t))return;let[e,n]=zu[Fe(t)]??[];e&&(t.preventDefault(),(!t.repeat||e!=="gradient")&&Qn.add(e,"",n))})});var jl={};x(jl,{default:()=>Gu});function Gu({data:t,parentElement:e,setTriggerValue:n}){let{svg:o,action:s}=t;Vu(e);let i=Gl.at(e);return i.open=r=>Re({part:r})||n("part",r),i.action=s,i.svg!==o&&Uu(i,o),i.unwatch(),i.unwatch=ne.watch(r=>Fu(i,r)),Gl.leave(e)}function ju(t){let e=new AbortController,n={root:t.querySelector(".picture"),parts:[],stop:null,svg:"",action:"",open(){},unwatch(){},close(){e.abort(),n.unwatch(),n.root.replaceChildren()}};return _u(n,e.signal),n}function Uu(t,e){let{activeElement:n}=t.root.getRootNode(),o=n instanceof SVGElement&&n.dataset.part;t.svg=e,t.root.innerHTML=e;let s=t.root.querySelector("svg"),i=s?.querySelector("title");if(!s||!i)throw new Error("The picture is no drawing with a title.");s.setAttribute("role","group"),s.setAttribute("aria-label",`${i.textContent}: parts, arrow keys move`),i.remove(),t.parts=[...s.querySelectorAll("[data-part]")];for(let r of t.parts){r.setAttribute("role","button");for(let l of r.querySelectorAll("g, text, tspan"))l.after(" ");let a=r.textContent?.replace(/\s+/g," ").trim();r.setAttribute("aria-label",`${r.dataset.name}: ${a}`),r.setAttribute("aria-description",`${r.dataset.shape}. ${r.dataset.tip}`)}Fs(t,t.parts.find(r=>r.dataset.part===o)??t.parts[0]),o&&t.stop?.focus({preventScroll:!0})}function Fs(t,e){for(let n of t.parts)n.setAttribute("tabindex",n===e?"0":"-1");t.stop=e}function Fu(t,e){t.root.querySelector("svg")?.classList.toggle("whole",!!e?.whole);for(let n of t.parts){let o=e?.parts?e.parts.includes(n.dataset.part??""):n.dataset.part===e?.part;n.classList.toggle("lit",o),o?n.setAttribute("aria-current","step"):n.removeAttribute("aria-current"),o&&!t.root.matches(":focus-within")&&Fs(t,n)}for(let n of t.root.querySelectorAll("[data-along]")){let o=n.dataset.along===e?.along;n.classList.toggle("along",o),n.classList.toggle("joined",o&&!!e?.joined)}for(let n of t.root.querySelectorAll("[data-stack]")){let o=n.querySelector(".times");if(!o)continue;let s=o.dataset.all??=o.textContent??"",i=n.dataset.stack===e?.stack;n.classList.toggle("here",i),o.textContent=i?s.replace("×",`layer ${e?.layer} of`):s}}function _u(t,e){let{root:n}=t,o=(r,a)=>n.addEventListener(r,a,{signal:e}),s=({target:r})=>r instanceof Element?r.closest("[data-part]"):null,i=r=>Sn(r,r.dataset.name,r.dataset.shape,r.dataset.tip,t.action);o("pointerover",r=>{let a=s(r);a&&r.pointerType!=="touch"&&i(a)}),o("pointerout",r=>s(r)&&An()),o("focusin",r=>{let a=s(r);a&&(Fs(t,a),a.matches(":focus-visible")&&i(a))}),o("focusout",ve),o("click",r=>{let a=s(r);a&&t.open(a.dataset.part)}),o("keydown",r=>{let a=s(r);if(!a||r.ctrlKey||r.altKey||r.metaKey)return;let l=Wu[r.key];if(!(!l&&r.key!=="Enter"&&r.key!==" ")){if(r.preventDefault(),r.stopPropagation(),!l)return t.open(a.dataset.part);qu(t.parts,a,l)?.focus()}})}function qu(t,e,[n,o]){let s=l=>{let d=(l.querySelector(".box")??l).getBoundingClientRect();return[d.x+d.width/2,d.y+d.height/2]},[i,r]=s(e),a=null;for(let l of t){let[d,m]=s(l),h=(d-i)*n+(m-r)*o,u=Math.abs((d-i)*o)+Math.abs((m-r)*n);if(l===e||h<=u)continue;let p=h+2*u;p<(a?.far??1/0)&&(a={part:l,far:p})}return a?.part}var Wu,Vu,Gl,Ul=b(()=>{Dl();H();on();ke();$n();N();Wu={ArrowUp:[0,-1],ArrowDown:[0,1],ArrowLeft:[-1,0],ArrowRight:[1,0]},Vu=C(Il),Gl=new L(t=>ju(t))});var Fl={};x(Fl,{asker:()=>qs,question:()=>Ks});function Ks({walk:t,operation:e},n){let o=new URLSearchParams({operation:e,at:n.join(",")});return new URL(`./walk/${encodeURIComponent(t||"none")}/cell?${o}`,document.baseURI).href}var Ku,Ju,_s,qs,Js=b(()=>{Ke();Ku=500,Ju=1e4,_s={lines:[],strips:[]},qs=()=>new Te(Ku,async(t,e)=>{try{let n=await Le(t,Ju,e);return n.status===410?{..._s,gone:!0,problem:""}:n.ok?await n.json():{..._s,problem:await n.text()}}catch{return{..._s,problem:"Server not responding. Point at the cell again."}}})});var Zl={};x(Zl,{Expression:()=>rn});function Kl(t){return t.terms.length>0&&t.terms.every(e=>e.every(n=>n===0||n===1))}function np(t,e){let n=c("div","line"),o=Yl("maths",`Expression ${t.name||e+1}`);for(let[s,i]of[["symbolic",t.symbolic],["numbers",t.numbers]]){let r=c("span",s);r.innerHTML=i,o.append(s==="numbers"?"=":"",r)}return n.append(o),t.name&&!o.textContent.startsWith(t.name)&&o.prepend(c("span","name",t.name)),t.terms.length&&n.append(op(t)),n}function Yl(t,e){let n=c("div",t);return n.tabIndex=0,n.setAttribute("role","region"),n.setAttribute("aria-label",e),n}function op(t){let e=t.terms[0].length-1,n=(r,a)=>[r,...a].map(l=>l.padStart(sn)).join(""),o=[n(t.over,t.terms.map((r,a)=>String(t.indices?.[a]??a+1)))],s=Ql(t);for(let r=0;r<e;r++)o.push(n(r&&s?"×":"",t.terms.map(a=>Jl(a[r]))));(e!==1||t.terms.some(r=>r[0]!==r[1]))&&o.push(n(s?"=":"→",t.terms.map(r=>Jl(r[e]))));let i=Yl("terms",`${t.terms.length} terms${t.name&&` of ${t.name}`}`);return i.append(c("pre","",o.join(`
`))),Xl.set(i,t),i}function Ql(t){return t.terms.every(e=>{let n=e.slice(0,-1).reduce((o,s)=>o*Number(s),1);return e.length>2&&Math.abs(n-Number(e.at(-1)))<=1e-6*Math.max(1,Math.abs(n))})}function Jl(t){let e=I(t);return e.length<sn?e:Number(t).toExponential(1)}function sp(t){let e=t.terms.length;return e<2?I(t.value):`${I(t.value)}, sum of ${e} ${Ql(t)?"products":"terms"}`}function rp(t,e){let o=t==="relu"?f=>Math.max(0,f):f=>f/2*(1+ip(f/Math.SQRT2)),s=Math.max(3,Math.ceil(Math.abs(e))),i=s,r=-s/4,[a,l]=[160,100],d=f=>(f+s)/(2*s)*a,m=f=>l-(f-r)/(i-r)*l,u=Array.from({length:81},(f,g)=>-s+2*s*g/80).map((f,g)=>`${g?"L":"M"}${d(f).toFixed(1)} ${m(o(f)).toFixed(1)}`).join(""),p=c("div","curve");return p.innerHTML=`<svg viewBox="-6 -6 ${a+12} ${l+12}" role="img"
    aria-label="${t} at ${I(e)} is ${I(o(e))}">
    <path class="axis" d="M0 ${m(0)}H${a}M${d(0)} 0V${l}"/><path class="graph" d="${u}"/>
    <path class="drop" d="M${d(e)} ${m(0)}V${m(o(e))}H${d(0)}"/>
    <circle cx="${d(e)}" cy="${m(o(e))}" r="4.5"/></svg>`,p.append(c("span","",`${t==="relu"?"ReLU":"GELU"}(${I(e)}) = ${I(o(e))}`)),p}function ip(t){let e=1/(1+.3275911*Math.abs(t)),n=e*(.254829592+e*(-.284496736+e*(1.421413741+e*(-1.453152027+e*1.061405429))));return Math.sign(t)*(1-n*Math.exp(-t*t))}var Xu,Yu,_l,sn,Qu,Zu,ep,tp,ql,Xl,rn,Xs=b(()=>{Be();M();Xu=400,Yu=640,_l="playground worked cell",sn=9,Qu=1e-4,Zu=.01,ep="The model's own number differs from this calculation, by more than rounding.",tp="The model computes with about 7 digits (float32). This calculation uses 16, so small numbers can differ.",ql={axis:"",labels:"",names:null,first:0,count:1,size:1},Xl=new WeakMap,rn=class{root;onFold;where;folder;folded;strips;lines;live;tiles;theme;parameters=[];cell=null;speaking;hint="";constructor(e,n){this.root=e,this.onFold=n,this.where=c("div","where"),this.folder=E("folder","",()=>this.fold(!this.folded)),this.folder.setAttribute("aria-keyshortcuts","e"),this.folded=innerWidth<=Yu;try{let o=sessionStorage.getItem(_l);o&&(this.folded=o==="folded")}catch{}this.strips=c("div","strips"),this.lines=c("div","lines"),this.live=c("div","live unseen"),this.live.setAttribute("aria-live","polite"),e.setAttribute("aria-label","How the cell was computed"),e.append(c("div","head",this.folder,this.where),this.strips,this.lines,this.live),this.tiles=[],this.showFolded()}fold(e){this.folded=e;try{sessionStorage.setItem(_l,e?"folded":"open")}catch{}this.showFolded(),this.onFold()}showFolded(){let{folder:e,folded:n}=this;this.root.classList.toggle("folded",n),e.textContent=n?"▸":"▾",e.title=`${n?"Show":"Hide"} the calculation. Key e`,e.setAttribute("aria-label","Calculation of the cell"),e.setAttribute("aria-expanded",String(!n))}expect(e,n){for(this.theme=n,this.parameters=e,this.strips.classList.toggle("none",!e.length);this.tiles.length<e.length;){let o=Gt(this.strips);o.node.removeAttribute("role"),o.node.tabIndex=-1,o.scroller.tabIndex=0,o.scroller.addEventListener("scroll",()=>o.view&&Q(o,this.theme),{passive:!0}),this.tiles.push(o)}for(;this.tiles.length>e.length;)this.tiles.pop()?.node.remove();this.clear()}clear(){this.cell=null,this.root.classList.remove("waiting"),this.where.replaceChildren(c("span","hint",this.hint)),this.lines.replaceChildren(),this.showStrips([]),this.speak("")}point(e,n,o,s=()=>{}){let i=[c("span","position cut",e),c("b","value",e&&n?` = ${n}`:n)];o&&i.push(Object.assign(E("unlock","Unpin",s),{title:"Escape"})),this.where.replaceChildren(...i),this.root.classList.add("waiting")}value(e,n){this.point(e,n,!1),this.root.classList.remove("waiting")}bare(e){this.cell=null,this.root.classList.remove("waiting"),this.lines.replaceChildren(),this.showStrips([]),this.speak(e)}tell(e,n,o){if(this.root.classList.remove("waiting"),this.cell===e)return;if(this.cell=e,e.problem){this.lines.replaceChildren(c("p","problem",e.problem)),this.showStrips([]);return}let[s,...i]=[...e.lines].reverse(),r=i.reverse().sort((m,h)=>Number(Kl(m))-Number(Kl(h))),a=[s,...r].map(np);e.curve&&a.push(rp(...e.curve)),e.remark&&a.push(c("p","small soft",e.remark));let l=Math.abs(Number(o)-Number(s.value)),d=Math.max(...[o,s.value,...s.terms.map(m=>m.at(-1))].map(m=>Math.abs(Number(m))));l>Zu*d?a.push(c("p","small soft",ep)):l>Qu*Math.abs(Number(s.value))&&a.push(c("p","small soft",tp)),this.lines.replaceChildren(...a),this.showStrips(e.strips),this.speak(n&&`${n} = ${sp(s)}`)}speak(e){clearTimeout(this.speaking),!(!e||e===this.live.textContent)&&(this.speaking=setTimeout(()=>this.live.textContent=e,Xu))}showStrips(e){let n=this.tiles.filter((o,s)=>{let{name:i,title:r}=this.parameters[s],a=e.find(m=>m.tensor===i);if(o.title.textContent=a?a.title:r,o.node.classList.toggle("empty",!a),!a)return!1;let l=Math.max(...a.values.map(Math.abs))||1,d=a.values.length;return o.grid={strip:!0,kind:"signed",title:a.title,rows:1,columns:d,values:Float32Array.from(a.values),row:ql,column:ql,marked:null,coloured:!0,most:l,whole:!1,hidden:null},Ce(o,this.theme),o.axes="",o.node.style.flex=d>1?"1 1 0":"none",jt(o,this.theme),!0});for(let o of n)De(o,pe(o,0,1/0),1/0,0);for(let o of n)De(o,o.box,1/0,0),o.scroller.scrollLeft=0,Q(o,this.theme)}progress(e,n,o){let i=[...this.lines.querySelectorAll(".terms")].find(d=>Xl.get(d)===e);if(!i)return;this.root.classList.add("making"),i.style.setProperty("--done",`${(n+1)*sn}ch`),i.classList.add("growing");let r=i.querySelector("pre"),a=r&&i.clientWidth&&r.offsetWidth/((e.terms.length+1)*sn);i.scrollLeft=Math.max(0,(n+2)*sn*(a??0)-i.clientWidth);let l=this.where.querySelector(".value");l&&(l.textContent=e.name?` · ${e.name} so far ${o}`:` = ${o} so far`)}grown(){this.root.classList.remove("making");for(let e of this.lines.querySelectorAll(".growing"))e.classList.remove("growing")}}});var ec={};x(ec,{play:()=>Zs,scene:()=>Qs});function Qs(t,e){let{expression:n}=t;return{blank(o){t.made=o,t.repaint()},light(o,s){t.pointed=o,t.marks.clear(),t.showInputs();let i=t.find(o);i&&t.marks.cross(i,!1),t.sources(s),n.point(t.whereOf(o),"…",!1),n.tell(s,t.inWords(o))},progress:(o,s,i)=>n.progress(o,s,i),landed(o,s){n.grown(),n.value(t.whereOf(o),s)},cell:()=>t.find(e),say:o=>t.nodes.announcement.textContent=o}}async function Zs(t,e,n,o){let s=q(),i=h=>new Promise(u=>{let p=setTimeout(u,h);o.addEventListener("abort",()=>(clearTimeout(p),u()),{once:!0})});t.blank(()=>!1),t.light(e,n),t.say("These are the numbers it is computed from.");let r=[...n.lines].reverse().find(h=>h.terms.length)??null;if(r&&t.progress(r,0,"…"),await i(Ys),r&&!o.aborted){let h=dp(r),u=r.terms.length,p=Math.min(lp,ap/u),f=s?u:Math.max(1,Math.round(16/p));for(let g=f;!o.aborted&&(t.progress(r,g,h?I(h[g-1]):"…"),t.say(`${g} of ${u} terms${r.name?` of ${r.name}`:""}${h?`, so far ${I(h[g-1])}`:""}.`),await i(s?Ys:p*f),!(g>=u));g=Math.min(u,g+f));}if(o.aborted)return;let a=t.cell();if(!a)return;let{grid:l,row:d,column:m}=a;t.blank((h,u,p)=>h===e.head&&u===d&&p===m),t.landed(e,be(l,d*l.columns+m)),t.say("This is its value. All other cells are computed the same way."),await i(Ys);for(let h=1;!s&&h<l.rows&&!o.aborted;h++)t.blank((u,p,f)=>p<h||u===e.head&&p===d&&f===m),await i(cp/l.rows)}function dp(t){let e=t.terms.map(o=>o.at(-1)??-1/0),n=o=>e.reduce((s,i)=>[...s,s.length?o(s[s.length-1],i):i],[]);return t.name&&e.length>1&&Math.max(...e)===(t.value??-1/0)?n(Math.max):e.every(Number.isFinite)?n((o,s)=>o+s):null}var Ys,ap,lp,cp,er=b(()=>{H();M();Ys=900,ap=3200,lp=420,cp=1600});var tc={};x(tc,{frame:()=>tr,write:()=>an});function an(t,e){for(let n of t.children)n.classList.toggle("unused",n.textContent!==e)}function tr(t,e){let n=(l,d,m)=>{let h=c("button","",...[l].flat().map((u,p)=>c("span",p?"unused":"",u)));return m&&(h.setAttribute("aria-keyshortcuts",m),h.title=`Key ${m}`),h.addEventListener("click",d),h},o=(l,d,m)=>Object.assign(c(l,d),m),s={tableButton:n(["Show as table","Show as heatmap"],e.table,"t"),playButton:n(["Compute slowly","Stop"],e.compute,"p"),allButton:n("All heads",e.all,"0"),announcement:o("span","announcement",{role:"status"}),clipboard:o("textarea","clipboard",{readOnly:!0,hidden:!0,ariaLabel:"The numbers, to copy"}),inputs:c("div","area inputs"),arrow:o("div","arrow",{ariaHidden:"true"}),outputs:c("div","area outputs"),tables:c("div","tables"),legend:c("div","legend"),panel:c("section","expression")},i=[n("Copy as text",e.text),n("Copy as NumPy",e.numpy)],r=c("div","actions",s.tableButton,s.playButton,...i,s.announcement,s.allButton),a=c("div","sides",s.inputs,s.arrow,s.outputs);return t.append(r,s.clipboard,a,s.tables,s.legend,s.panel),{sides:a,...s}}var nr=b(()=>{M()});var nc={};x(nc,{Looks:()=>ln});var ln,or=b(()=>{ln=class{now={table:!1,head:null,cell:null};received="";reported=[];adopt(e,n){let o=JSON.stringify(e),s=this.reported.indexOf(o);s>=0&&this.reported.splice(0,s+1),(s<0?n||o!==this.received:!this.reported.length)&&(this.now=e,this.reported=[]),this.received=o}change(e){return this.now={...this.now,...e},this.reported.push(JSON.stringify(this.now)),this.now}}});var sc,oc=b(()=>{sc=`/* Heatmaps whose rows light together, each head with its caption. */
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
.group {
  max-width: 100%;
}
.heading {
  font-weight: 600;
  min-height: 1.7rem;
}
.flow {
  align-items: flex-start;
  display: flex;
  flex-wrap: wrap;
  gap: 12px 20px;
}
.tile {
  border-radius: 4px;
  cursor: crosshair;
  flex: none;
  max-width: 100%;
  outline-offset: 3px;
}
.tile.uncovered {
  scroll-margin: 7rem 0 50vh;
}
.tile:focus-visible {
  outline: 2px solid var(--st-primary-color);
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
`});var ic={};x(ic,{default:()=>wp});function wp({data:t,parentElement:e,setTriggerValue:n}){let o=rc.at(e);return o.tell=n,o.show(V(t)),rc.leave(e)}var hp,rc,up,pp,fp,gp,bp,sr,ac=b(()=>{Ae();D();bt();oc();H();X();tt();nt();Ee();Be();N();M();hp=C(G,S,ue,sc),rc=new L(t=>new sr(t)),up=270,pp=480,fp=600,gp=30,bp={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]};sr=class{host;box;announcement;area;sizes;tell=()=>{};groups=[];cursors=new WeakMap;at=null;width=0;before=0;uncovered="";data;constructor(e){hp(e),this.host=e.host??e,this.box=e.querySelector(".maps"),this.announcement=c("div","announcement small"),this.announcement.setAttribute("role","status"),this.area=c("div","area"),this.box.append(this.announcement,this.area),this.area.addEventListener("pointermove",n=>this.point(this.below(n))),this.area.addEventListener("pointerleave",()=>this.point(null)),this.area.addEventListener("click",n=>this.choose(this.below(n))),this.area.addEventListener("keydown",n=>this.press(n)),this.area.addEventListener("focusin",n=>this.enter(n.target)),this.area.addEventListener("focusout",()=>this.point(null)),this.sizes=new ResizeObserver(()=>this.room()!==this.width&&this.layOut()),this.sizes.observe(this.box)}close(){this.sizes.disconnect(),this.box.replaceChildren()}show(e){this.data=e,this.area.classList.toggle("beside",!e.opens);let{tensors:n}=e;for(;this.groups.length<n.length;)this.groups.push(new j(this.area));for(;this.groups.length>n.length;)this.groups.pop()?.remove();let o=P(this.host);this.groups.forEach((s,i)=>{let r=n[i],a=Array.from(r.values).reduce((l,d)=>Number.isFinite(d)?Math.max(l,Math.abs(d)):l,0);r.scale=a||1,s.fill(r,se(r),{},o,null),s.tiles.forEach((l,d)=>{let m=l.node.getAttribute("aria-label")??"";l.node.setAttribute("aria-label",m.replace(" Enter locks.",e.chooses?" Enter chooses the cell.":"")),this.foot(l,r,i,d);let{rows:h,columns:u}=l.grid,p=e.held&&l.room?l.room:{rows:h,columns:u};l.room={rows:Math.max(h,p.rows),columns:Math.max(u,p.columns)}})}),this.layOut(),this.uncover()}uncover(){let{chosen:e}=this.data,n=this.uncovered;if(this.uncovered=`${e}`,!e||!n||this.uncovered===n)return;let{node:o}=this.groups[e[0]].tiles[e[1]];o.classList.add("uncovered"),o.scrollIntoView({block:"nearest",behavior:q()?"auto":"smooth"}),o.classList.remove("uncovered")}foot(e,n,o,s){let i=this.data.notes[o]?.[s],r=JSON.stringify([i,this.data.opens,n.name,n.title]),a=e.node.querySelector(":scope > .foot");if(a?.dataset.key===r)return;a?.remove();let l=c("div","foot small");l.dataset.key=r;let d=i?.text?c("span","term",i.text):null;if(d&&(d.tabIndex=0,d.setAttribute("role","button"),d.setAttribute("aria-description",i.help)),i&&l.append(c("div","role-of",d)),this.data.opens){let m=E("small-button","Open",()=>this.tell("open",[n.name,s]));m.title="Open this head in Step through",m.setAttribute("aria-label",`Open in Step through: ${n.title}, head ${s+1}`),l.append(m)}l.children.length&&e.node.append(l)}room(){let e=this.box.clientWidth;return e===this.before&&e>this.width&&e<this.width+gp?this.width:e}layOut(){if([this.before,this.width]=[this.width,this.room()],!this.width)return;let e=P(this.host);for(let n of this.groups)Ft(n,this.width,this.width<fp?pp:up,e);this.light()}below({clientX:e,clientY:n}){for(let[o,{tiles:s}]of this.groups.entries())for(let[i,r]of s.entries()){let a=Ie(r,e,n);if(a)return{group:o,tile:i,...a};let l=r.layer.getBoundingClientRect(),d=Ie(r,l.left+r.box.gutter+1,n);if(d&&e>=l.left&&e<l.left+r.box.gutter)return{group:o,tile:i,row:d.row,column:null}}return null}point(e){this.at=e,this.light()}light(){let{at:e,data:n}=this,o=e&&this.groups[e.group].tensor.rows;this.groups.forEach((s,i)=>{let{rows:r}=s.tensor,a=o&&r.axis===o.axis&&e.row<r.count?e.row:null;s.tiles.forEach((l,d)=>{let m=[],h=(p,f,g,w=1)=>m.push({name:p,rows:[f,f+1],columns:[g,g+w]});a!==null&&h("row",a,0,l.grid.columns);let{chosen:u}=n;u&&u[0]===i&&u[1]===d&&h("chosen",u[2],u[3]),e&&e.group===i&&e.tile===d&&e.column!==null&&h("cell",e.row,e.column),l.box&&Se(l,m)})}),T(this.announcement,e?this.words(e):"")}words({group:e,tile:n,row:o,column:s}){let{tensor:i,tiles:r}=this.groups[e],{grid:a}=r[n],[l,d,m]=this.data.words,h=[i.title,a.title,he(l,a.row,o)].filter(Boolean).join(", ");return s===null?h:`${h}, ${he(d,a.column,s)}: ${m} ${be(a,o*a.columns+s)}`}choose(e){!this.data.chooses||!e||e.column===null||this.tell("pair",[this.data.tensors[e.group].name,e.tile,e.row,e.column])}enter(e){for(let[n,{tiles:o}]of this.groups.entries()){let s=o.findIndex(d=>d.node===e);if(s<0)continue;let{grid:i,node:r}=o[s],{row:a,column:l}=this.cursors.get(r)??{row:0,column:0};this.point({group:n,tile:s,row:Math.min(a,i.rows-1),column:Math.min(l,i.columns-1)})}}press(e){let{at:n}=this,o=n&&this.groups[n.group].tiles[n.tile];if(!o||o.node!==e.target||n.column===null)return;if(e.key==="Enter")return this.choose(n);let s=bp[e.key];if(!s||e.ctrlKey||e.metaKey||e.altKey)return;e.preventDefault(),e.stopPropagation();let i=(a,l)=>Math.max(0,Math.min(l-1,a)),r={row:i(n.row+s[0],o.grid.rows),column:i(n.column+s[1],o.grid.columns)};this.cursors.set(o.node,r),et(o,r.row,r.column),this.point({...n,...r})}}});var dc={};x(dc,{asNumpy:()=>cr,asText:()=>lr,copy:()=>dr,tableCell:()=>Zn,tables:()=>ir,tint:()=>ar});function ir(t){return t.flatMap(e=>e.grids.map(n=>{let o=c("caption","",[e.tensor.title,n.title,e.note].filter(Boolean).join(", ")),s=c("table","",o),i=s.createTHead().insertRow(),r=[n.row.axis&&`${n.row.axis} ↓`,n.column.axis&&`${n.column.axis} →`];i.append(c("th","",r.filter(Boolean).join(" ")));for(let l=0;l<n.columns;l++)i.append(lc("col",Y(n.column,l)));let a=s.createTBody();for(let l=0;l<n.rows;l++){let d=a.insertRow();d.append(lc("row",Y(n.row,l))),l===n.marked&&(d.className="marked");for(let m=0;m<n.columns;m++)d.append(yp(n,l,m))}return Object.assign(c("div","frame",s),{grid:n,tabIndex:0})}))}function lc(t,e){let n=c("th","",e);return n.scope=t,n}function yp(t,e,n){let o=e*t.columns+n,s=t.hidden?.[o];return c("td",s||t.values[o]===-1/0?"hidden":"",xo(t,o))}function ar(t,e){for(let o of t.querySelectorAll(`.${rr}`))o.classList.remove(rr);let n=t.querySelector("tbody")?.rows??[];for(let o of e.filter(({name:s})=>s!=="cross"))for(let s=Math.max(0,o.rows[0]);s<Math.min(n.length,o.rows[1]);s++){let i=n[s].cells;for(let r=Math.max(0,o.columns[0]);r<Math.min(i.length-1,o.columns[1]);r++)i[r+1].classList.add(rr)}}function Zn(t){let e=t instanceof Element?t.closest("td"):null;return e&&{row:e.parentNode.sectionRowIndex,column:e.cellIndex-1}}function lr(t,e){return e.map(n=>{let o=["",...Array.from({length:n.columns},(i,r)=>Y(n.column,r))].join("	"),s=Array.from({length:n.rows},(i,r)=>{let a=cc(n,r).map(l=>n.whole?String(l):I(l));return[Y(n.row,r),...a].join("	")});return[[t.title,n.title].filter(Boolean).join(", "),o,...s].join(`
`)}).join(`

`)}function cr(t,e){let n=t.kind==="mask"?"bool":t.whole?"int64":"float32",o=l=>n==="bool"?l?"True":"False":l===-1/0?"-np.inf":xp(l),s=(l,d)=>`[${Array.from({length:l.rows},(h,u)=>`[${cc(l,u).map(o).join(", ")}]`).join(`,
${d} `)}]`,i=t.heads?`[${e.map(l=>s(l,"           ")).join(`,
          `)}]`:s(e[0],"          "),r=t.heads?mt("heads",{first:e[0].head,count:e.length,size:t.heads.size},1):"";return`# ${[t.name,r,mt("columns",t.columns,0)].filter(Boolean).join(", ")}
np.array(${i}, dtype=np.${n==="bool"?"bool_":n})
`}function cc(t,e){return Array.from(t.values.subarray(e*t.columns,(e+1)*t.columns))}function xp(t){for(let e=6;e<9;e++){let n=String(Number(t.toPrecision(e)));if(Math.fround(Number(n))===t)return n}return String(Number(t.toPrecision(9)))}async function dr(t,e){try{return await navigator.clipboard.writeText(t),"Copied."}catch{return e.value=t,e.hidden=!1,e.focus(),e.select(),"Press Ctrl+C to copy."}}var rr,eo=b(()=>{M();rr="chosen"});var mc={};x(mc,{Marks:()=>cn});function mr({tensor:t,head:e,slope:n}){return`${t.index} ${e} ${n}`}var kp,vp,Tp,cn,hr=b(()=>{eo();Be();[kp,vp,Tp]=[1,2,3],cn=class{regions=new Map;clear(){this.regions.clear()}cross({grid:e,row:n,column:o},s){let[i,r]=[[n,n+1],[o,o+1]];s||(this.add(e,{name:"cross",rows:i,columns:[0,e.columns]}),this.add(e,{name:"cross",rows:[0,e.rows],columns:r})),this.add(e,{name:s?"cell faint":"cell",rows:i,columns:r})}source({tensor:e,grids:n},o){let s=(h,u)=>o[e.axes.indexOf(h)]??[0,u],[i,r]=s(kp,1/0),a=s(vp,e.rows.count),[l,d]=s(Tp,e.columns.size).map(h=>h-e.columns.first),m=[Math.max(0,l),Math.min(e.columns.count,d)];if(!(m[0]>=m[1]))for(let h of n)!h.slope&&h.head>=i&&h.head<r&&this.add(h,{name:"source",rows:a,columns:m})}add(e,n){let o=mr(e);this.regions.set(o,[...this.regions.get(o)??[],n])}paintTables(e){for(let n of e)ar(n,this.regions.get(mr(n.grid))??[])}paintTiles(e,n){for(let o of e)for(let s of o.tiles){let i=this.regions.get(mr(s.grid))??[],r=i.find(({name:a})=>a==="source");r&&n!==o.tensor.index&&et(s,r.rows[0],r.columns[0]),Se(s,i),s.marks.classList.toggle("veiled",i.length===1&&i[0].name==="source")}}}});var pc={};x(pc,{default:()=>Cp});function Cp({data:t,parentElement:e}){Lp(e);let{tensors:n,labels:o,styles:s}=V(t),i=P(e.host??e);e.querySelector(".matrices").replaceChildren(...n.map((a,l)=>Sp(a,o,s[l],i)))}function Sp(t,e,{digits:n,names:o,letter:s},i){let{rows:r,columns:a,heads:l}=t,d=c("figcaption","",c("b","",t.title)," ",c("span","shape small soft",hc(t,s))),m=Array.from({length:l?.count??1},(h,u)=>{let p=o[u]?c("div","small soft",o[u]):null,f=r.count*a.count<=Ep?$p(t,u,{digits:n,names:o},e,i):Ap(kt(t,i,{head:u,long:Mp,most:t.scale}),`${t.title}, ${hc(t,s)}, as a picture`);return c("div","matrix",p,f)});return c("figure","",d,c("div","row-of",...m))}function Ap(t,e){return t.removeAttribute("aria-hidden"),t.setAttribute("role","img"),t.setAttribute("aria-label",e),t}function hc({rows:t,columns:e,heads:n},o){let s=[...n?[{axis:o,count:n.count}]:[],t,e],i=s.filter(({axis:l})=>l),r=i.length&&s.every(({axis:l,count:d})=>l||d===1),a=(l,d)=>l.map(({count:m})=>m).join(d);return r?`(${i.map(({axis:l})=>l).join(", ")}) = (${a(i,", ")})`:a(s," × ")}function $p(t,e,{digits:n,names:o},s,i){let{rows:r,columns:a,values:l,kind:d,title:m}=t,[h,u]=[r,a].map(v=>s[v.labels]?.names??null),p=e*r.count*a.count,f={kind:d,coloured:!0,most:t.scale||1},g=v=>{let $=Array.from({length:a.count},(U,Z)=>{let pn=l[p+v*a.count+Z],Et=c("td","",Rp(pn,d,n)),Mr=Rn(f,pn,i);return Et.style.background=`rgb(${Array.from(Mr).join(", ")})`,Et.style.color=It(Mr),Et});return c("tr","",h?uc(h[v],"row"):null,...$)},w=u?c("thead","",c("tr","",h?c("td"):null,...u.map(v=>uc(v,"col")))):null,k=c("tbody","",...Array.from({length:r.count},(v,$)=>g($))),R=c("table","",w,k),y=[m,o[e]].filter(Boolean).join(", ");R.setAttribute("aria-label",y);let A=c("div","scroller",R);return A.tabIndex=0,A.setAttribute("role","region"),A.setAttribute("aria-label",`${y}, table`),A}function uc(t,e){let n=c("th","small",t);return n.scope=e,n}function Rp(t,e,n){if(Number.isNaN(t))return"nan";if(t===-1/0)return"−∞";if(e==="mask")return t?"1":"0";let o=t.toFixed(n);return(Number(o)===0?o.replace("-",""):o).replace("-","−")}var Lp,Ep,Mp,fc=b(()=>{Ae();D();hs();fs();H();X();Ee();M();Wn();Lp=C(G,S,Bn,Vn),Ep=160,Mp=320});var bc={};x(bc,{default:()=>Hp,statement:()=>to});function Hp({parentElement:t}){return gc.at(t),gc.leave(t)}function Op(t,{html:e,first:n,lit:o,where:s,function:i}){let r=`${n}:${e}`,a=t.content===r;a||(t.content=r,t.rows=e.split(`
`).map((l,d)=>zp(n+d,l)),t.lines.replaceChildren(...t.rows),t.box.setAttribute("aria-label",`Source of ${i||"the statement"}`)),t.rows.forEach((l,d)=>{let m=n+d>=o[0]&&n+d<=o[1];l.classList.toggle("lit",m),l.classList.toggle("begin",n+d===o[0]),m?l.setAttribute("aria-current","true"):l.removeAttribute("aria-current")}),t.where.textContent=s,t.name.textContent=i,t.lit=t.rows.filter(l=>l.classList.contains("lit")),ur(t,a)}function Np(t){te(t);let e=c("code","lines"),n=c("div","box",e);n.tabIndex=0,n.setAttribute("role","region");let o=c("span","where"),s=c("span","name cut"),i=E("small-button","Show all",()=>{st=!st,ur(l,!1)}),r=c("figure","statement",n,c("figcaption","",o,s,i));t.append(r);let l={box:n,lines:e,where:o,name:s,all:i,content:"",rows:[],lit:[],close:()=>{d.disconnect(),m(),r.remove()}},d=new ResizeObserver(()=>ur(l,!1));d.observe(e);let m=to.watch(h=>h&&Op(l,h));return l}function zp(t,e){let n=c("span","line");return n.dataset.number=String(t),n.innerHTML=e||"​",n.style.setProperty("--in",String(n.textContent.search(/\S|$/)+2)),n}function ur(t,e){if(t.box.classList.toggle("whole",st),t.all.textContent=st?"Show less":"Show all",t.all.setAttribute("aria-expanded",String(st)),t.all.classList.toggle("unused",!st&&t.box.scrollHeight<=t.box.clientHeight+1),st||!t.lit.length)return;let[n,o]=[t.lit[0].offsetTop,t.lit[t.lit.length-1]],s=o.offsetTop+o.offsetHeight-n,i=Math.max(0,(t.box.clientHeight-s)/2);t.box.scrollTo({top:n-i,behavior:e&&!q()?"smooth":"auto"})}var gc,st,to,pr=b(()=>{H();ke();N();M();gc=new L(t=>Np(t)),st=!1,to=new xe});var no,fr=b(()=>{no=`.tensors {
  container-type: inline-size;
  display: flex;
  flex-direction: column;
  font-size: 0.875rem;
  gap: 8px;
}
.actions {
  align-items: center;
  display: var(--toolbar, flex); /* none in the presenter view */
  flex-wrap: wrap;
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
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.clipboard {
  background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color);
  box-sizing: border-box;
  color: inherit;
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
  display: flex;
  flex: none;
  flex-wrap: wrap;
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
  max-width: 100%;
}
.heading {
  align-items: center;
  column-gap: 0.5rem;
  display: flex;
  flex-wrap: wrap;
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
.flow {
  align-items: flex-start;
  display: flex;
  flex-wrap: wrap;
  gap: 12px 20px;
}
.line-end {
  flex-basis: 100%;
  margin-top: -12px;
}
.tile {
  border-radius: 4px;
  cursor: crosshair;
  flex: none;
  outline-offset: 3px;
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
.frame {
  max-height: 26rem;
  overflow: auto;
}
table {
  border-collapse: collapse;
}
caption {
  font-weight: 650;
  padding-bottom: 2px;
  text-align: left;
}
th,
td {
  border: 1px solid var(--st-border-color);
  font-size: 0.8rem;
  padding: 1px 6px;
  text-align: right;
  white-space: nowrap;
}
th {
  background: var(--st-secondary-background-color);
  font-weight: 600;
}
td {
  cursor: crosshair;
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
  display: flex;
  flex-wrap: wrap;
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
  display: flex;
  flex-wrap: wrap;
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
  max-width: 100%;
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
`});var xc={};x(xc,{View:()=>so,default:()=>Fp});function Fp(t){let{data:e,parentElement:n,setStateValue:o,setTriggerValue:s}=t,i=yc.at(n);i.report=a=>o("look",{...a,at:Date.now()}),i.missed=a=>s("gone",a);let r=V(e);return i.show(r),js(i,r.way,t),yc.leave(n)}function gr(t,e){return!t||!e?!1:["tensor","head","row","column","slope"].every(n=>t[n]===e[n])}var Dp,Ip,oo,wc,Bp,Wp,Vp,Gp,jp,Up,yc,so,kc=b(()=>{D();bt();fr();Js();X();H();Xs();nr();tt();on();He();nt();Xn();or();hr();Ee();er();de();pr();eo();Be();N();M();Dp=24,Ip=24,oo=144,wc=640,Bp=150,Wp=1500,Vp=2500,Gp={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]},jp="Point at a cell of the output to see how it was computed. Click to keep it.",Up=C(S,ue,no),yc=new L(t=>new so(t));so=class{host;root;nodes;result;expression;observer;settling;missing="";given=[];groups=[];frames=[];looks=new ln;marks=new cn;pointed=null;shownHead=null;asker=qs();data;output;theme;width=0;before=0;height=0;heldBy="";playing=null;made=null;report;missed;closing=new AbortController;leaving=0;asking=0;saying=0;constructor(e){this.host=e.host??e,Up(e),this.root=e.querySelector(".tensors"),this.nodes=tr(this.root,{table:()=>this.change({table:!this.look.table}),compute:()=>this.compute(),text:()=>this.copy(lr),numpy:()=>this.copy(cr),all:()=>this.change({head:null})}),this.result=new j(this.nodes.outputs),this.expression=new rn(this.nodes.panel,()=>this.unfolded()),this.expression.hint=jp,this.listen(),this.observer=new ResizeObserver(()=>this.room()!==this.width&&this.layout()),this.observer.observe(this.root);let n=this.closing.signal;document.fonts.status!=="loaded"&&document.fonts.ready.then(()=>n.aborted||this.layout()),this.settling=new ResizeObserver(()=>this.height!==this.below(this.nodes.sides,"top")&&this.layout({held:!1}));let o=this.host;for(;o&&!o.matches(ee);o=o.parentElement)this.settling.observe(o);for(let s of["pointerdown","keydown"])document.addEventListener(s,()=>this.settling.disconnect(),{signal:n,capture:!0,once:!0});this.watchSharpness()}listen(){let e=this.closing.signal,n=(o,s,i,r={})=>{for(let a of s)o.addEventListener(a,i,{signal:e,...r})};for(let o of[this.nodes.inputs,this.nodes.outputs])n(o,["pointermove","pointerdown"],s=>this.point(this.cellOf(s))),n(o,["pointerdown"],s=>s.target.closest('[tabindex="0"]')?.focus({preventScroll:!0})),n(o,["pointerleave"],s=>s.pointerType!=="touch"&&this.point(null)),n(o,["focusout"],s=>this.nodes.sides.contains(s.relatedTarget)||this.point(null)),n(o,["keydown"],s=>this.press(s)),n(o,["click"],s=>this.toggle(this.cellOf(s))),n(o,["dblclick"],s=>this.solo(this.tileOf(s.target,"node")?.grid.head)),n(o,["scroll"],s=>this.scrolled(s.target),{capture:!0,passive:!0});n(this.nodes.tables,["pointermove","pointerdown"],o=>this.point(this.cellOfTable(o))),n(this.nodes.tables,["pointerleave"],o=>o.pointerType!=="touch"&&this.point(null)),n(this.nodes.tables,["click"],o=>this.toggle(this.cellOfTable(o))),n(document,["keydown"],o=>this.key(o)),n(document,["pointerdown"],o=>this.outside(o)),n(this.nodes.clipboard,["blur"],()=>this.nodes.clipboard.hidden=!0)}close(){Us(this),this.root.replaceChildren(),this.closing.abort(),this.stop(),this.observer.disconnect(),this.settling.disconnect()}watchSharpness(){let e=matchMedia(`(resolution: ${devicePixelRatio}dppx)`),n=()=>{this.layout(),this.watchSharpness()};e.addEventListener("change",n,{once:!0,signal:this.closing.signal})}show(e){let n=e.operation!==this.data?.operation;this.stop(),this.data=e,this.looks.adopt(e.look,n);let o=P(this.host),s=JSON.stringify(o)!==JSON.stringify(this.theme);this.theme=o,n&&(this.pointed=null,this.shownHead=null),this.asker.forget(),(n||s)&&this.expression.expect(e.parameters,this.theme),this.compose(),to.set(this,e.statement),e.problem&&this.say(e.problem)}get look(){return this.looks.now}change(e){this.stop(),this.report(this.looks.change(e)),this.compose()}compose(){let{tensors:e}=this.data,n=e.find(r=>r.output);if(!n)throw new Error("An operation has an output.");this.output=n;let o=r=>{if(!r.heads)return[0];let a=se(r);return!r.output&&n.heads?[this.head()]:this.look.head!==null&&a.includes(this.look.head)?[this.look.head]:a};for(;this.given.length<e.length-1;)this.given.push(new j(this.nodes.inputs));for(;this.given.length>e.length-1;)this.given.pop()?.remove();this.groups=[...this.given,this.result],this.groups.forEach((r,a)=>this.fill(r,e[a],o(e[a])));let s=this.groups.flatMap(r=>r.grids),i=s.filter(r=>!r.slope);this.nodes.legend.replaceChildren(...tn(i,s.filter(r=>r.slope),this.theme)),this.nodes.arrow.hidden=e.length===1,this.root.classList.toggle("as-table",this.look.table),an(this.nodes.tableButton,this.look.table?"Show as heatmap":"Show as table"),this.nodes.allButton.classList.toggle("unused",this.look.head===null||!n.heads),this.nodes.playButton.disabled=this.look.table,this.frames=this.look.table?ir(this.groups):[],this.nodes.tables.replaceChildren(...this.frames),this.layout()}fill(e,n,o){let s=i=>this.change({...i,cell:null,..."heads"in i&&{head:null}});e.fill(n,o,{...this.data.fold,go:s},this.theme,n.output?this.made:null)}head(){let{first:e,count:n}=this.output.heads??{first:0,count:1},o=r=>r!=null&&r>=e&&r<e+n,s=this.pointed?.tensor===this.output.index?this.pointed.head:null;return[this.look.head,this.locked()?.head,s,this.shownHead].find(o)??e}showInputs(){if(!this.output.heads)return;let e=this.head();this.shownHead=e;for(let n of this.groups){let{tensor:o}=n;if(!(o.output||!o.heads||n.grids[0].head===e)){this.fill(n,o,[e]);for(let s of n.tiles)Ce(s,this.theme),Q(s,this.theme);this.look.table&&this.compose()}}}room(){let e=this.root.clientWidth;return e===this.before&&e>this.width&&e<this.width+Dp?this.width:e}layout({held:e=!0}={}){let n=this.room();if(n!==this.width&&([this.before,this.width]=[this.width,n]),!this.width||!this.data)return;this.theme=P(this.host);let{nodes:o,given:s,result:i,data:r,theme:a}=this;this.height=this.below(o.sides,"top");let l=this.held()&&e;this.look.table||ss(o,s,i,this.width,this.rooms(),l,r.most,a),this.fitExpression(),this.light()}below(e,n){return innerHeight-e.getBoundingClientRect()[n]-(this.host.closest(ee)?.scrollTop??0)-Ip}unfolded(){this.layout(),innerWidth<=wc&&!this.expression.folded&&this.nodes.panel.scrollIntoView({block:"nearest"})}rooms(){let e=this.height-this.nodes.legend.offsetHeight,n=this.expression.folded?oo/4:oo;return[e-n,e-oo/4]}held(){let e=JSON.stringify([this.data.operation,this.data.reads,this.width,innerHeight,this.theme,{...this.look,cell:null}]),n=e===this.heldBy;return this.heldBy=e,n}fitExpression(){let e=document.documentElement.hasAttribute("data-present"),n=Math.floor(this.below(this.nodes.legend,"bottom")),{style:o}=this.nodes.panel,s=e?parseFloat(getComputedStyle(this.nodes.panel).minHeight):oo,i=n>=s?`${n}px`:"";o.setProperty("--expression-most",e?i||"none":""),o.setProperty("--expression-height",e||innerWidth<=wc?"":i)}scrolled(e){let n=this.tileOf(e,"scroller");n?.view&&(Q(n,this.theme),Se(n,n.lit))}tileOf(e,n="layer"){return this.groups.flatMap(({tiles:o})=>o).find(o=>o[n].contains(e))}cellOf(e){let n=this.tileOf(e.target),o=n&&Ie(n,e.clientX,e.clientY);return n&&o?this.absolute(n.grid,o):null}cellOfTable(e){let n=Zn(e.target),o=n&&e.target.closest(".frame");return o?this.absolute(o.grid,n):null}absolute(e,{row:n,column:o}){let{tensor:s,head:i,slope:r}=e;return{tensor:s.index,head:i,row:n,column:o+s.columns.first,slope:r}}find(e){let n=this.groups[e.tensor],o=n?n.grids.findIndex(r=>r.head===e.head&&r.slope===e.slope):-1;if(o<0)return null;let s=n.grids[o],i=e.column-s.tensor.columns.first;return i<0||i>=s.columns||e.row>=s.rows?null:{tile:n.tiles[o],grid:s,row:e.row,column:i}}locked(){let{cell:e}=this.look;if(!e)return null;let[n,o,s=0]=[...e].reverse();return{tensor:this.output.index,head:s,row:o,column:n,slope:!1}}point(e){this.playing||(clearTimeout(this.leaving),!e&&this.pointed?this.leaving=setTimeout(()=>{this.pointed=null,this.light()},Bp):e&&!gr(e,this.pointed)&&(this.pointed=e,this.light()))}toggle(e){if(this.playing)return this.stop();if(!e)return;if(e.tensor!==this.output.index)return this.unlock();if(gr({...e,slope:!1},this.locked()))return this.unlock();let n=[e.row,e.column];this.change({cell:this.output.heads?[e.head,...n]:n})}unlock(){this.look.cell&&this.change({cell:null})}outside(e){let n=e.composedPath();if(n.includes(this.nodes.sides)&&this.tileOf(n[0])||n.includes(this.nodes.tables)&&Zn(n[0]))return;n.includes(this.root)||this.point(null);let o="button, a, input, textarea, select, label, summary, [role=button], [role=slider], [role=listbox], [role=option], [role=combobox], [role=tab], [data-part], .expression, .scroller";n.some(s=>s instanceof Element&&s.matches(o))||this.unlock()}solo(e){!this.output.heads||e===void 0||(getSelection()?.removeAllRanges(),this.alone(this.look.head===e?null:e))}alone(e){let{cell:n}=this.look;this.change({head:e,cell:n&&e!==null?[e,...n.slice(1)]:n})}press(e){let n=this.tileOf(e.target,"node");if(!n||e.ctrlKey||e.altKey||e.metaKey)return;let{grid:o}=n,s=Gp[e.key],i=[this.pointed,this.locked()].find(h=>h&&this.find(h)?.tile===n);if(e.key==="Enter"&&i)return e.preventDefault(),e.stopPropagation(),this.pointed=i,this.toggle(i);if(!s)return;e.preventDefault(),e.stopPropagation();let r=i??[this.locked(),this.pointed].find(h=>h?.tensor===o.tensor.index),a=r&&this.find({...r,head:o.head,slope:o.slope})||{row:0-s[0],column:0-s[1]},l=Math.min(Math.max(a.row+s[0],0),o.rows-1),d=Math.min(Math.max(a.column+s[1],0),o.columns-1);et(n,l,d);let m=this.absolute(o,{row:l,column:d});if(this.look.cell&&m.tensor===this.output.index&&!m.slope)return this.pointed=m,this.change({cell:this.output.heads?[m.head,m.row,m.column]:[m.row,m.column]});this.point(m)}key(e){if(!(!this.data||!F(e))){if(e.key==="Escape")if(this.playing)this.stop();else if(this.look.cell)this.unlock();else return this.point(null);else if(e.key==="t")this.change({table:!this.look.table});else if(e.key==="p")this.compute();else if(e.key==="e")this.expression.fold(!this.expression.folded);else if(e.key==="0")this.look.head!==null&&this.change({head:null});else if(e.key>="1"&&e.key<="9"&&e.key.length===1){let n=Number(e.key)-1;this.output.heads&&n<this.output.heads.size&&this.look.head!==n&&this.alone(n)}else return;e.preventDefault()}}light(){if(this.playing)return;let e=this.locked(),n=e||this.pointed?null:this.example(),o=e??this.pointed??n;this.showInputs();let s=o&&this.find(o);this.marks.clear();let i=this.pointed&&e&&!gr(this.pointed,e)&&this.find(this.pointed);if(i&&this.marks.cross(i,!0),!o||!s&&!e)return this.asker.forget(),this.paint(),this.expression.clear();s&&this.marks.cross(s,!1),this.paint();let r=this.whereOf(o),a=s?be(s.grid,s.row*s.grid.columns+s.column):"",l=this.output.slopes?"Example of the forward pass":"Example";if(this.expression.point(n?`${l}: ${r}`:r,a,!!e,()=>this.unlock()),o.tensor!==this.output.index||o.slope)return this.asker.forget(),this.expression.bare(`${r} = ${a}`);this.asker.ask(this.question(o),d=>this.answered(o,d,!n))}example(){let e=i=>!i.slope&&(!this.output.heads||i.head===this.head()),n=this.result.grids.find(e)??this.result.grids[0],o=n.marked??0;if(o>=n.rows)return null;let s=0;for(let i=1;i<n.columns&&n.kind==="probability";i++)n.values[o*n.columns+i]>n.values[o*n.columns+s]&&(s=i);return this.absolute(n,{row:o,column:s})}answered(e,n,o){if(n.gone)return this.again();if(this.playing)return;this.sources(n);let s=this.find(e),i=s?.grid.values[s.row*s.grid.columns+s.column];this.expression.tell(n,o?this.inWords(e):"",i)}sources(e){for(let{tensor:n,region:o}of e.reads??[]){let s=this.given.find(i=>i.tensor.name===n);s&&this.marks.source(s,o)}this.paint()}paint(){this.marks.paintTables(this.frames),this.look.table||this.marks.paintTiles(this.groups,this.pointed?.tensor)}again(){let{walk:e}=this.data;this.missed(e),clearTimeout(this.asking),this.missing!==e&&(this.missing=e,this.asking=setTimeout(()=>this.data.walk===e&&this.light(),Wp))}question(e){let n=[0,e.head,e.row,e.column];return Ks(this.data,this.output.axes.map(o=>n[o]))}whereOf(e){let n=this.data.tensors[e.tensor];return[e.slope?`dL/d ${n.title}`:n.title,n.heads&&`head ${e.head+1}`,he("row",n.rows,e.row-n.rows.first),he("column",n.columns,e.column-n.columns.first)].filter(Boolean).join(" · ")}inWords(e){return this.whereOf(e).replaceAll(" · ",", ")}async copy(e){let[n,o]=[!1,!0].map(i=>this.result.grids.filter(r=>r.slope===i)),s=[e(this.output,n)];o.length&&s.push(`# gradient of the loss
${e({...this.output,kind:"signed",whole:!1},o)}`),this.say(await dr(s.join(`

`),this.nodes.clipboard))}say(e){this.nodes.announcement.textContent=e,clearTimeout(this.saying),this.saying=setTimeout(()=>this.nodes.announcement.textContent="",Vp)}compute(){if(this.playing)return this.stop();if(this.look.table)return;let e=this.absolute(this.result.grids[0],{row:0,column:0}),n=this.pointed?.tensor===this.output.index?{...this.pointed,slope:!1}:null,o=[this.locked(),n,e].find(s=>s&&this.find(s));o&&this.asker.ask(this.question(o),async s=>{if(s.gone)return this.again();if(s.problem)return this.say(s.problem);let i=this.playing=new AbortController;an(this.nodes.playButton,"Stop"),await Zs(Qs(this,o),o,s,i.signal),this.playing===i&&this.stop()})}stop(){this.playing&&(this.playing.abort(),this.playing=null,this.made=null,this.nodes.announcement.textContent="",an(this.nodes.playButton,"Compute slowly"),this.expression.grown(),this.repaint(),this.light())}repaint(){this.result.paint(this.theme,this.made);for(let e of this.result.tiles)e.view&&Q(e,this.theme)}}});var Tc,vc=b(()=>{Tc=`.choose {
  padding: 0.25rem 0.75rem;
  border: 1px solid var(--st-border-color);
  border-radius: 0.5rem;
  background: none;
  color: inherit;
  font: inherit;
  cursor: pointer;
}
`});var Ec={};x(Ec,{default:()=>Kp});function Kp({data:t,parentElement:e,setTriggerValue:n}){let o=Lc.at(e);return o.most=t.most,o.send=s=>n("file",s),Lc.leave(e)}var qp,Lc,br,Mc=b(()=>{D();vc();H();N();M();qp=C(S,Tc),Lc=new L(t=>new br(t));br=class{most=0;send=()=>{};constructor(e){qp(e);let n=c("input");n.type="file",n.accept=".txt,text/plain",n.hidden=!0,n.setAttribute("aria-label","Text file"),n.addEventListener("change",()=>{let o=n.files?.[0];n.value="",o&&this.read(o)}),e.querySelector(".text-file")?.append(E("choose","Use a .txt file",()=>n.click()),n)}close(){}read(e){if(e.size>this.most)return this.send({size:e.size,content:""});let n=new FileReader;n.addEventListener("load",()=>{let[,o=""]=String(n.result).split(",",2);this.send({size:e.size,content:o})}),n.readAsDataURL(e)}}});var Sc={};x(Sc,{default:()=>Xp});function Xp({data:t,parentElement:e}){return rt=Cc.at(e),rt.fill(t),Cc.leave(e)}function Yp(t){te(t);let e=E("small-button","",()=>a());e.innerHTML='<svg viewBox="0 0 20 14" aria-hidden="true"><rect x=".7" y=".7" width="18.6" height="12.6" rx="2"/><path d="M4 4.4h.1M7 4.4h.1M10 4.4h.1M13 4.4h.1M16 4.4h.1M4 7.2h.1M7 7.2h.1M10 7.2h.1M13 7.2h.1M16 7.2h.1M6 10.2h8"/></svg>Keys',e.setAttribute("aria-haspopup","dialog"),e.setAttribute("aria-keyshortcuts","?"),e.title="Keyboard shortcuts of this page (?)";let n=c("dialog","keys");n.setAttribute("aria-label","Keys"),t.append(e,n);let o=c("input");o.type="checkbox",o.addEventListener("change",()=>fo(o.checked));let s=c("small","",Jp);s.id="scope",o.setAttribute("aria-describedby",s.id);let i=c("p","letters",c("label","",o,"Single-letter shortcuts"),s),r=()=>o.checked=gn(),a=()=>{r(),n.open||n.showModal()};n.addEventListener("click",d=>{let{left:m,right:h,top:u,bottom:p}=n.getBoundingClientRect(),f=d.clientX>=m&&d.clientX<=h&&d.clientY>=u&&d.clientY<=p;(d.target===n&&!f||d.target.closest(".close"))&&n.close()}),n.addEventListener("keydown",d=>{n.open&&(d.stopPropagation(),d.key==="?"&&gn()&&n.close())});let l={open:a,tick:r,fill:d=>Qp(n,d,i),close(){rt===l&&(rt=null),e.remove(),n.remove()}};return l}function Qp(t,e,n){let o=JSON.stringify(e);if(t.dataset.shown===o)return;t.dataset.shown=o;let s=e.map(({title:r,rows:a})=>{let l=a.flatMap(([d,m])=>[c("dt","",...d.map(h=>c("kbd","",h))),c("dd","",m)]);return c("section","",c("h3","",r),c("dl","",...l))}),i=c("button","close","×");i.setAttribute("aria-label","Close"),t.replaceChildren(c("header","",c("h2","","Keys"),i),n,c("div","columns",...s))}var Jp,Cc,rt,Ac=b(()=>{H();He();N();M();Jp="Turns shortcuts with letters, digits and punctuation on or off. Arrow keys and Esc always work.",Cc=new L(t=>Yp(t)),rt=null;go(()=>rt?.tick());document.addEventListener("keydown",t=>{t.key!=="?"||!rt||!F(t)||(t.preventDefault(),rt.open())})});var $c=ho(()=>{window.__streamlit={BACKEND_BASE_URL:new URL("./",document.baseURI).href};{let t="(prefers-color-scheme: dark)",e="playground theme",n=matchMedia.bind(window),o=n(t),i=(()=>{try{return localStorage.getItem(e)??""}catch{return""}})();class r extends EventTarget{media=t;get matches(){return i?i==="dark":o.matches}}let a=new r,l=()=>{document.documentElement.style.colorScheme=a.matches?"dark":"light",a.dispatchEvent(Object.assign(new Event("change"),{matches:a.matches,media:t}))};o.addEventListener("change",()=>i||l()),window.matchMedia=d=>d===t?a:n(d),window.playgroundTheme={chosen:()=>i,choose(d){i=d;try{d?localStorage.setItem(e,d):localStorage.removeItem(e)}catch{}l()}},l()}addEventListener("DOMContentLoaded",()=>{let t=document.getElementById("soon");t&&document.head.append(t.content)})});var Oc={};x(Oc,{default:()=>ef});function ef({data:t,parentElement:e}){let n=Rc.at(e),o=JSON.stringify(t);return n.planted!==o&&(n.planted=o,nf(n,t)),n.unwatch(),n.unwatch=ne.watch(s=>of(n,s)),ht.set(n,s=>{let i=n.leaves.get(s);return i?ao(i.parent).filter(r=>!r.nodes&&!r.off):[]}),Rc.leave(e)}function tf(t){te(t),le.shut??=innerWidth<Zp;let e=c("span","soft"),n=E("title","All operations ",()=>{le.shut=!le.shut,dn(r),wr(r)});n.append(e);let o=E("small-button","Unfold all",()=>{le.all=!le.all;for(let a of xr(r.top))a.open=null;dn(r),wr(r)}),s=c("ul","tree");s.setAttribute("role","tree"),s.setAttribute("aria-label","All operations of this pass");let i=c("section","outline",c("header","",n,o),s);t.append(i);let r={root:t,box:i,tree:s,title:n,all:o,total:e,top:{depth:0,list:s,nodes:[]},leaves:new Map,byItem:new WeakMap,planted:"",lit:null,within:new Set,backward:null,stop:null,unwatch(){},close(){r.unwatch(),ht.set(r,null),i.remove()}};return s.addEventListener("click",a=>{let l=a.target,d=l.closest("[role=treeitem]"),m=d&&r.byItem.get(d);m&&(mn(r,m),l.closest(".chevron")?ro(r,m):yr(m))}),s.addEventListener("keydown",a=>rf(r,a)),r}function nf(t,{parts:e,colours:n}){t.leaves.clear();let o=(i,{label:r,name:a,parts:l,letter:d,role:m})=>{let h=c("div","row",c("span","chevron"),c("span","label",r)),u=c("li","",h);u.setAttribute("role","treeitem"),u.setAttribute("aria-label",r);let p={label:r,name:a,parent:i,item:u,row:h,depth:i.depth+1,open:null};if(u.setAttribute("aria-level",String(p.depth)),u.setAttribute("tabindex","-1"),u.style.setProperty("--depth",String(p.depth-1)),t.byItem.set(u,p),l){let f=p.list=c("ul","");f.setAttribute("role","group"),p.nodes=l.map(g=>o(p,g)),f.append(...p.nodes.map(g=>g.item)),u.append(f)}else if(p.at=t.leaves.size,t.leaves.set(a,p),d){let f=c("span","letter",d);f.style.background=m?n[m]:"",f.setAttribute("aria-hidden","true"),h.append(f)}return p},s={depth:0,list:t.tree,nodes:[]};s.nodes=e.map(i=>o(s,i)),t.top=s,t.lit=t.backward=null,t.tree.replaceChildren(...s.nodes.map(i=>i.item)),mn(t,s.nodes[0]),dn(t)}function xr(t){return(t.nodes??[]).flatMap(e=>e.nodes?[e,...xr(e)]:[])}function io(t,e){return e.open!==null?e.open:le.all||e.nodes?.some(n=>n.nodes)||t.within.has(e)}function of(t,e){let n=e?.lit?t.leaves.get(e.lit):null;if(sf(t,e?.without??null),t.lit===(n??null))return;let o=t.within;t.lit=n??null,t.within=new Set;for(let s=n?.parent;s?.parent;s=s.parent)t.within.add(s),s.open===!1&&!o.has(s)&&(s.open=null);dn(t),n&&!t.tree.contains(t.root.activeElement??null)&&mn(t,n),wr(t)}function sf(t,e){let n=JSON.stringify(e);if(t.backward===n)return;let o=({list:i,nodes:r=[]})=>{let a=r.map(l=>l.item);i?.append(...e?a.reverse():a),r.filter(l=>l.nodes).forEach(o)};o(t.top);let s=new Set(e);for(let i of t.leaves.values())i.off=i.at!==void 0&&s.has(i.at),i.off?i.item.setAttribute("aria-disabled","true"):i.item.removeAttribute("aria-disabled");t.total.textContent=e?`${t.leaves.size-s.size}, backward`:String(t.leaves.size),t.backward=n,t.lit=void 0}function dn(t){t.box.classList.toggle("shut",!!le.shut),t.title.setAttribute("aria-expanded",String(!le.shut)),t.all.textContent=le.all?"Fold to sublayers":"Unfold all",t.all.setAttribute("aria-pressed",String(le.all));for(let e of xr(t.top))e.item.setAttribute("aria-expanded",String(!!io(t,e))),e.item.classList.toggle("within",!!t.within.has(e));for(let e of t.leaves.values())e===t.lit?e.item.setAttribute("aria-current","step"):e.item.removeAttribute("aria-current");(!t.stop||!kr(t).includes(t.stop))&&mn(t,t.lit??t.top.nodes[0])}function wr(t){if(!t.lit||le.shut)return;let{tree:e}=t,n=t.lit.row.getBoundingClientRect(),o=e.getBoundingClientRect(),s=Math.min(2.5*n.height,o.height/3);if(n.top>=o.top+s&&n.bottom<=o.bottom-s)return;let i=e.scrollTop+n.top-o.top-(o.height-n.height)/2;e.scrollTo({top:i,behavior:q()?"auto":"smooth"})}function ro(t,e){e.nodes&&(e.open=!io(t,e),dn(t))}function yr(t){if(t.off)return;let e=t.nodes?Hc(t).find(n=>!n.off):t;e&&Re({name:e.name})}function Hc(t){return t.nodes?ao(t).flatMap(Hc):[t]}function ao({list:t,nodes:e=[]}){return[...t?.children??[]].flatMap(n=>e.find(o=>o.item===n)??[])}function kr(t,e=t.top){return ao(e).flatMap(n=>[n,...n.nodes&&io(t,n)?kr(t,n):[]])}function mn(t,e){t.stop?.item.setAttribute("tabindex","-1"),e.item.setAttribute("tabindex","0"),t.stop=e}function rf(t,e){let n=t.byItem.get(e.target);if(!n||e.ctrlKey||e.altKey||e.metaKey||e.shiftKey)return;let o=kr(t),s=o.indexOf(n),i=n.nodes&&io(t,n),r={ArrowDown:()=>o[s+1],ArrowUp:()=>o[s-1],Home:()=>o[0],End:()=>o[o.length-1],ArrowRight:()=>n.nodes&&!i?ro(t,n):ao(n)[0],ArrowLeft:()=>i?ro(t,n):n.parent.parent?n.parent:void 0,Enter:()=>yr(n)," ":()=>n.nodes?ro(t,n):yr(n)};if(!Object.hasOwn(r,e.key))return;e.preventDefault(),e.stopPropagation();let a=r[e.key]();if(!a)return;mn(t,a),a.item.focus({preventScroll:!0});let l=a.row.getBoundingClientRect(),d=t.tree.getBoundingClientRect();l.top<d.top&&(t.tree.scrollTop+=l.top-d.top),l.bottom>d.bottom&&(t.tree.scrollTop+=l.bottom-d.bottom)}var Zp,Rc,le,Nc=b(()=>{H();on();ke();N();M();Zp=640,Rc=new L(t=>tf(t)),le={all:!1,shut:null}});var Pc,zc=b(()=>{Pc=`/* The table of runs that are compared. */
.order {
  display: none;
}
table {
  border-collapse: collapse;
  width: 100%;
}
th {
  border-bottom: 1px solid var(--st-border-color);
  font-weight: 600;
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
.text {
  text-align: left;
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
  display: flex;
  flex-wrap: wrap;
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
  border: 1px solid var(--st-border-color);
  border-radius: 0.4rem;
  box-sizing: border-box;
  color: inherit;
  display: block;
  field-sizing: content;
  font: inherit;
  min-height: 2.1rem;
  margin-top: 0.15rem;
  padding: 0.3rem 0.55rem;
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
  margin: 0;
  padding: 0;
}
.colours legend {
  padding: 0;
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
  display: flex;
  flex-wrap: wrap;
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
  .order select {
    background: var(--st-background-color);
    border: 1px solid var(--st-border-color);
    border-radius: 0.4rem;
    color: inherit;
    font: inherit;
    min-height: 2rem;
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
`});var Wc={};x(Wc,{default:()=>df});function df({data:t,parentElement:e,setStateValue:n}){let o=Dc.at(e);return o.acts.adopt(t,s=>n("acts",s)),o.data=t,mf(o),Lt(o),Dc.leave(e)}function mf(t){let e=new Set(t.data.rows.map(({id:n})=>n));for(let[n,o]of t.live)e.has(n)||(o.close(),t.live.delete(n));for(let{id:n,channel:o,now:s}of t.data.rows){let i=t.live.get(n)??new ie(()=>hf(t));t.live.set(n,i),i.show({channel:o,at:t.data.at,now:s})}}function hf(t){cancelAnimationFrame(t.frame),t.frame=requestAnimationFrame(()=>Lt(t))}function it(t,e,n,o){t.acts.add(e,n,o),Lt(t)}function uf(t){lf(t);let e=Ue.map(({by:d,title:m,text:h})=>{let u=c("th",h?"text":"number",E("sort",m,()=>it(l,"sort","",pf(l,d))));return u.scope="col",u}),n=c("th","choice",c("span","unseen","In the charts")),o=c("tbody"),s=c("table","runs",c("thead","",c("tr","",n,...e)),o);s.setAttribute("aria-label","Runs");let i=c("select");i.append(new Option("newest first",""));for(let{by:d,title:m}of Ue)i.append(new Option(m,d));i.addEventListener("change",()=>it(l,"sort","",i.value));let r=E("more","",()=>it(l,"more","")),a=c("div","box",c("label","order","Sorted by ",i),s,r);t.append(a);let l={rows:new Map,groups:new Map,live:new Map,open:null,acts:new B,frame:0,heads:e,body:o,order:i,more:r,data:{rows:[],at:0,sort:"",most:0,hidden:0,session:"",heard:0,colours:{light:[],dark:[]},problem:null},close(){cancelAnimationFrame(l.frame);for(let d of l.live.values())d.close();a.remove()}};return l}function pf(t,e){let n=Ic(t);return n===e?`-${e}`:n===`-${e}`?"":e}function Ic(t){return t.acts.pending.findLast(([,e])=>e==="sort")?.[3]??t.data.sort}function ff(t){let e=t.data.rows.map(s=>{let i=t.live.get(s.id)?.values??s.now;return{...s,...i,colour:s.colour??i.line_colour}}),n=new Map(e.map(s=>[s.id,s])),o={show:"shown",colour:"colour",rename:"name",note:"note"};for(let[,s,i,r]of t.acts.pending){let a=n.get(i);o[s]&&a&&(a[o[s]]=r)}return e}function Lt(t){let e=ff(t),n=Ic(t),o=n.replace("-",""),s=Ue.find(a=>a.by===o);s&&e.sort(wf(s,n.startsWith("-"))),t.heads.forEach((a,l)=>{Ue[l].by===o?a.setAttribute("aria-sort",n.startsWith("-")?"descending":"ascending"):a.removeAttribute("aria-sort")}),t.order.value=o;let i=e.filter(a=>a.shown).length,r=[];for(let a of gf(t,e,r)){let l=t.rows.get(a.id);l||t.rows.set(a.id,l=yf(t,a)),l.data=a,xf(t,l,i),r.push(l.main,l.details)}for(let[a,l]of t.rows)l.main.isConnected&&!r.includes(l.main)&&t.rows.delete(a);ge(t.body,r),t.more.hidden=!t.data.hidden,t.more.textContent=`Show ${t.data.hidden} more`}function*gf(t,e,n){let o=new Set;for(let s of e){if(s.sweep||(yield s),!s.sweep||o.has(s.sweep))continue;o.add(s.sweep);let i=e.filter(({sweep:l})=>l===s.sweep),r=t.groups.get(s.sweep)??bf(t,s.sweep);r.open===null&&i.some(({shown:l})=>l)&&(r.open=!0);let a=r.open===!0;T(r.name,`Sweep ${s.sweep}`),T(r.counts,` ${i.length} runs · ${i.filter(({steps:l})=>l!==null).length} solved`),r.name.setAttribute("aria-expanded",String(a)),n.push(r.row),a&&(yield*i)}}function bf(t,e){let n=E("name","",()=>{i.open=n.getAttribute("aria-expanded")!=="true",Lt(t)}),o=c("span"),s=c("td","",n,o);s.colSpan=Ue.length+1;let i={row:c("tr","sweep",s),name:n,counts:o,open:null};return t.groups.set(e,i),i}function wf({by:t,text:e,most:n},o){let s=(o?-1:1)*(n?-1:1);return(i,r)=>{let[a,l]=[i[t],r[t]];return a===null||l===null?+(a===null)-+(l===null):s*(e?String(a).localeCompare(String(l)):a-l)}}function yf(t,e){let{id:n}=e,o=c("input");o.type="checkbox",o.addEventListener("change",()=>it(t,"show",n,o.checked));let s=E("name","",()=>{t.open=t.open===n?null:n,Lt(t),t.open===n&&p.querySelector("input, button")?.focus({preventScroll:!0})}),i=c("span","tag","reference");i.title="All differences are relative to this run.";let r=c("div","difference"),a=c("div","note"),l=c("span","badge"),d=c("span","at"),m=Ue.slice(2).map(({by:g,title:w})=>{let k=c("td",`number ${g}`);return k.dataset.title=w,k}),h=c("tr","run",c("td","choice",c("label","dot",o)),c("td","what",c("div","top",s,i),r,a),c("td","status",l,d),...m),u=c("td");u.colSpan=Ue.length+1;let p=c("tr","details",u);return p.hidden=!0,p.addEventListener("keydown",g=>{g.stopPropagation(),g.key==="Escape"&&(t.open=null,Lt(t),s.focus())}),{id:n,data:e,box:o,name:s,first:i,difference:r,note:a,badge:l,at:d,cells:m,main:h,inside:u,details:p,form:null}}function xf(t,e,n){let o=e.data,s=t.open===e.id,i=Bc(t,Number(o.colour));if(e.main.style.setProperty("--run",i),e.main.classList.toggle("open",s),e.main.classList.toggle("shown",o.shown),e.box.checked=o.shown,e.box.disabled=!o.shown&&n>=t.data.most,e.box.title=e.box.disabled?`${t.data.most} runs is the most that the charts show.`:"In the charts",e.box.setAttribute("aria-label",`${o.name} in the charts`),T(e.name,o.name),e.name.setAttribute("aria-expanded",String(s)),e.first.hidden=!o.first,T(e.difference,o.difference),T(e.note,o.note),e.note.hidden=!o.note,T(e.badge,o.status),e.badge.dataset.status=o.status,T(e.at,o.ended?"":`step ${we(o.step)}`),Ue.slice(2).forEach(({by:r,form:a},l)=>{let d=o[r];T(e.cells[l],d===null?"–":a?.(d)??d),e.cells[l].title=o[`${r}_evidence`]??""}),e.details.hidden=!s,!s){e.inside.replaceChildren(),e.form=null;return}e.form??=kf(t,e),e.form.update(o)}function kf(t,e){let{id:n,inside:o}=e,s=[],i=(d,m,h)=>{let u=c("span","problem");u.setAttribute("role","alert"),h.maxLength=cf[d==="rename"?"name":d];let p=!1;h.addEventListener("input",()=>p=!0);let f=()=>{p&&h.value!==e.data[d==="rename"?"name":d]&&it(t,d,n,h.value),p=!1};return h.addEventListener("change",f),h.addEventListener("keydown",g=>{!(g instanceof KeyboardEvent)||g.key!=="Enter"||g.shiftKey||(g.preventDefault(),f())}),s.push(g=>{let w=t.data.problem,k=w&&w.id===n&&w.verb===d?w:null;T(u,k?.sentence??""),p||(h.value=k?k.value:g[d==="rename"?"name":d])}),c("label",d,m,h,u)},r=(d,m,h,u="")=>{let p=E(d,m,()=>it(t,d,n));return p.title=u,s.push(f=>p.hidden=!h(f)),p},a=c("div","actions framed",r("open","Open this run",()=>!0,"Its own charts, predictions and controls."),r("first","Compare the others with it",d=>!d.first,"Show differences relative to this run."),r("duplicate","Duplicate with a change",()=>!0,"Copy its settings to the form below the table."),r("stop","Stop",d=>d.mine&&!d.ended),r("delete","Delete",d=>d.mine&&d.ended,"Can be undone.")),l=[];if(e.data.mine){let d=c("fieldset","colours",c("legend","","Colour"));for(let m=0;m<t.data.colours.light.length;m++){let h=E("pick","",()=>it(t,"colour",n,m));h.style.setProperty("--run",Bc(t,m)),h.setAttribute("aria-label",`Colour ${m+1}`),s.push(u=>h.setAttribute("aria-pressed",String(u.colour===m))),d.append(h)}l.push(i("rename","Name",c("input")),d,i("note","Note",c("textarea")))}return o.replaceChildren(c("div","form",...l,a)),{update:d=>s.forEach(m=>m(d))}}function Bc(t,e){let{light:n,dark:o}=t.data.colours;return`light-dark(${n[e%n.length]}, ${o[e%o.length]})`}function vf(t){return t!==0&&Math.abs(t)<.001?t.toExponential(1):t.toPrecision(3)}var lf,Ue,cf,Dc,Vc=b(()=>{D();zc();ye();H();$e();N();M();lf=C(S,Pc),Ue=[{by:"name",title:"Run",text:!0},{by:"status",title:"Status",text:!0},{by:"steps",title:"Steps to solved",form:we},{by:"seconds",title:"Optimizer seconds to solved",form:t=>t.toFixed(2)},{by:"exact",title:"Best exact match",form:z,most:!0},{by:"loss",title:"Latest loss",form:vf},{by:"parameters",title:"Parameters",form:we}],cf={name:40,note:500},Dc=new L(uf)});var jc,Gc=b(()=>{jc=`/* What a stage has made keeps its room, whatever it is. */
:host {
  font-size: 1rem;
}

/* ---- the strip of all stages */
.stages,
.stages ol {
  display: flex;
  gap: 3px;
  list-style: none;
  margin: 0;
  padding: 0;
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
.numbers td,
.numbers th {
  background: none;
  border: 0;
  padding: 0.1rem 0.8rem 0.1rem 0;
  text-align: left;
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
.bars dd {
  margin: 0;
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
`});var Fc={};x(Fc,{default:()=>Ef});function Ef({data:t,parentElement:e}){return Uc.at(e).show(t),Uc.leave(e)}var Lf,Uc,vr,_c=b(()=>{Ae();D();bt();fr();Gc();X();H();tt();nt();Xn();ke();Ee();$e();N();M();Lf=C(G,S,ue,no,jc),Uc=new L(t=>new vr(t));vr=class{host;theme;root;group;observer;shown="";pointed=null;size="";live=new ie(()=>this.draw());strip=c("div","strip");words=c("div","words");tensor=c("div","tensor");numbers=c("div","numbers");value=c("div","value cut");legend=c("div","legend");figure=c("div","figure",this.tensor,this.numbers,c("div","foot",this.value,this.legend));constructor(e){this.host=e.host??e,Lf(e),this.theme=P(this.host),this.root=e.querySelector(".slow-motion"),this.root.append(this.strip,this.words,this.figure),this.group=new j(this.tensor);let n=o=>this.point(o);this.tensor.addEventListener("pointermove",n),this.tensor.addEventListener("pointerdown",n),this.tensor.addEventListener("pointerleave",o=>o.pointerType!=="touch"&&this.point(null)),this.observer=new ResizeObserver(()=>this.layout()),this.observer.observe(this.root)}close(){this.live.close(),this.observer.disconnect(),ne.set(this,null),this.root.replaceChildren()}show(e){this.live.show(e),this.draw()}draw(){let{message:e}=this.live.values;if(e===void 0)return;let n=V(Uint8Array.from(atob(e),r=>r.charCodeAt(0)));ne.set(this,n.lit);let o=P(this.host),s=JSON.stringify([n.stage,n.strip,n.words,o]);if(s===this.shown)return;Object.assign(this,{shown:s,theme:o});for(let r of["strip","words","numbers"])this[r].innerHTML=n[r];let[i]=n.tensors;this.figure.classList.toggle("drawn",!!i),this.size="",i&&this.fill(i,o),this.layout()}fill(e,n){this.group.fill(e,se(e),{heads:e.heads?.count,columns:e.columns.count},n,null);for(let o of this.group.tiles)o.node.tabIndex=-1,o.node.setAttribute("role","img"),o.node.setAttribute("aria-label",Rt([e.title,o.grid.title].filter(Boolean).join(", "),o.grid));this.legend.replaceChildren(...tn(this.group.grids,[],n))}layout(){let{clientWidth:e,clientHeight:n}=this.figure,o=`${e} ${n}`;if(!e||o===this.size)return;this.size=o;let s=this.strip.firstElementChild;s?.classList.remove("short"),s?.classList.toggle("short",s.scrollWidth>s.clientWidth),this.tensor.clientWidth&&Ft(this.group,this.tensor.clientWidth,this.tensor.clientHeight,this.theme),this.tell()}point(e){this.pointed=e&&{x:e.clientX,y:e.clientY},this.tell()}tell(){this.value.textContent=this.group.point(this.pointed," = ")}}});var Kc,qc=b(()=>{Kc=`/* A sweep: small charts side by side and a table of what came out. */
.grid {
  display: grid;
  gap: 0.9rem 1.1rem;
  grid-template-columns: repeat(var(--columns), minmax(11rem, 1fr));
}
.card {
  margin: 0;
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
  border-collapse: collapse;
  width: 100%;
}
th {
  border-bottom: 1px solid var(--st-border-color);
  font-weight: 600;
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
`});var td={};x(td,{default:()=>Af});function Af({data:t,parentElement:e,setTriggerValue:n}){let o=Jc.at(e);return o.ask=(s,i)=>n("asked",{verb:s,value:i}),o.draws=t.draws,o.live.show(t),Zc(o),Jc.leave(e)}function $f(t){Cf(t);let e=c("div","grid"),n=c("table","summary"),o=c("div","scroller",n),s=c("div","box");t.append(s);let i=new ie(()=>Zc(l)),r=()=>{i.close(),s.remove()},a=ed(co),l={cards:[],at:null,grid:e,table:n,scroller:o,box:s,live:i,draws:"",content:"",data:co,scale:a,ask(){},close:r};return e.addEventListener("pointermove",d=>Nf(l,d)),e.addEventListener("pointerleave",()=>Lr(l,null)),l}function Zc(t){let{percent:e,columns:n,steps:o,head:s,spread:i,...r}=t.live.values,a=t.draws==="cards",l=a?{...co,percent:e,columns:n,steps:o,cards:Xc(r,"card")}:{...co,head:s,spread:i,rows:Xc(r,"row")},d=JSON.stringify(l);t.content!==d&&(Object.assign(t,{content:d,data:l}),t.box.replaceChildren(a?t.grid:t.scroller),a?Rf(t):Df(t))}function Xc(t,e){let n=[];for(;t[`${e} ${n.length}`];)n.push(t[`${e} ${n.length}`]);return n}function Rf(t){let{cards:e,columns:n}=t.data;for(t.grid.style.setProperty("--columns",n?String(n):"auto-fill"),t.scale=ed(t.data);t.cards.length>e.length;)t.cards.pop()?.root.remove();for(;t.cards.length<e.length;){let o=Hf(t,t.cards.length);t.cards.push(o),t.grid.append(o.root)}e.forEach((o,s)=>Of(t,t.cards[s],o)),Lr(t,t.at)}function ed({cards:t,percent:e,steps:n}){let o=Math.max(1,n),s=m=>Qc*m/o;if(e)return{last:o,across:s,up:m=>hn*(1-m),ends:["100 %","0"]};let i=t.flatMap(m=>m.lines.flatMap(h=>h.values)).filter(m=>m>0),r=Math.min(...i,1/0),a=Math.max(...i,-1/0);if(!(a>r))return{last:o,across:s,up:()=>hn/2,ends:i.length?[lo(a),""]:["",""]};let l=Math.log(a)-Math.log(r);return{last:o,across:s,up:m=>hn*(1-(Math.log(Math.max(m,r))-Math.log(r))/l),ends:[lo(a),lo(r)]}}function Hf(t,e){let n=E("","",()=>t.ask("compare",t.data.cards[e].index));n.title="Compare these runs";let o=un("g",{class:"lines"}),s=un("svg",{viewBox:`0 0 ${Qc} ${hn}`,preserveAspectRatio:"none",role:"img"}),i=un("line",{class:"rule",y1:0,y2:hn});s.append(o,i);let r=[c("span","top"),c("span","bottom"),c("span","last")],a=c("div","readout"),l=c("div","plot",s,...r);return{root:c("figure","card",c("figcaption","title",n),l,a),title:n,svg:s,rule:i,ends:r,readout:a,lines:o}}function Of(t,{root:e,title:n,svg:o,lines:s,ends:i,readout:r},a){let{across:l,up:d,last:m}=t.scale;T(n,a.title),o.setAttribute("aria-label",`${a.title}: ${a.summary}`);let h=a.lines.map(u=>{let p=u.steps.map((w,k)=>`${k?"L":"M"}${Tr(l(w))},${Tr(d(u.values[k]))}`);u.steps.length===1&&p.push("h0.01");let f=un("path",{d:p.join(""),class:u.solved===null?"open":"solved"}),g=un("title",{});return g.textContent=`${u.name}: ${u.result}`,f.append(g),f});s.replaceChildren(...h),[t.scale.ends[0],t.scale.ends[1],`step ${we(m)}`].forEach((u,p)=>T(i[p],u)),r.dataset.all=a.summary,e.classList.toggle("waiting",!a.lines.some(u=>u.steps.length))}function Nf(t,e){let n=e.target.closest("svg");if(!n)return;let o=n.getBoundingClientRect(),s=Math.min(1,Math.max(0,(e.clientX-o.left)/o.width));Lr(t,Math.round(s*t.scale.last))}function Lr(t,e){t.at=e,t.cards.forEach(({rule:n,readout:o},s)=>{let i=t.data.cards[s];if(n.toggleAttribute("hidden",e===null),e===null)return T(o,o.dataset.all??"");let r=Tr(t.scale.across(e));n.setAttribute("x1",String(r)),n.setAttribute("x2",String(r));let a=i.lines.map(h=>zf(h,e)).filter(h=>h!==null);a.sort((h,u)=>h-u);let l=t.data.percent?z:lo,m=a.length>1&&a[0]!==a.at(-1)?` (${l(a[0])} to ${l(a[a.length-1])})`:"";T(o,a.length?`step ${we(e)}: ${l(Pf(a))}${m}`:`step ${we(e)}: –`)})}function zf({steps:t,values:e},n){let o=null;for(let s=0;s<t.length&&t[s]<=n;s++)o=e[s];return o}function Pf(t){let e=t.length>>1;return t.length%2?t[e]:(t[e-1]+t[e])/2}function Df(t){let{head:e,rows:n,spread:o}=t.data,s=e.map((r,a)=>Object.assign(c("th",a?"":"first",r),{scope:"col"})),i=n.map(({cells:r,marks:a,middle:l})=>{let d=a.map(u=>Yc(u/o,"mark")),m=c("div","track",...d,l!==null&&Yc(l/o,"middle")),h=r.map((u,p)=>c("td",p?"":"first",u));return c("tr","",...h,c("td","strip",m))});t.table.replaceChildren(c("thead","",c("tr","",...s)),c("tbody","",...i))}function Yc(t,e){let n=c("i",e);return n.style.left=`${100*Math.min(1,t)}%`,n}function un(t,e){let n=document.createElementNS(Sf,t);for(let[o,s]of Object.entries(e))n.setAttribute(o,String(s));return n}function Tr(t){return Math.round(t*10)/10}function lo(t){return t!==0&&Math.abs(t)<.001?t.toExponential(1):String(Number(t.toPrecision(3)))}var Cf,Sf,Qc,hn,Jc,co,nd=b(()=>{D();qc();H();$e();N();M();Cf=C(S,Kc),Sf="http://www.w3.org/2000/svg",Qc=200,hn=100,Jc=new L($f),co={percent:!0,columns:0,steps:1,cards:[],head:[],spread:1,rows:[]}});var If,Er=b(()=>{If=Cr({"../build/first_look.ts":()=>Promise.resolve().then(()=>(xi(),yi)),"../checkpoints/cards.ts":()=>Promise.resolve().then(()=>(Ni(),Oi)),"../checkpoints/corner.ts":()=>Promise.resolve().then(()=>(qo(),Ci)),"../checkpoints/drop.ts":()=>Promise.resolve().then(()=>(Ii(),Di)),"../checkpoints/pair.ts":()=>Promise.resolve().then(()=>(ea(),Zi)),"../checkpoints/upload.ts":()=>Promise.resolve().then(()=>(zn(),Si)),"../experiment/switches.ts":()=>Promise.resolve().then(()=>(ra(),sa)),"../generate/beam_tree.ts":()=>Promise.resolve().then(()=>(ma(),da)),"../generate/generation.ts":()=>Promise.resolve().then(()=>(ba(),ga)),"../learn/check/check_file.ts":()=>Promise.resolve().then(()=>(va(),ka)),"../learn/formula_rows.ts":()=>Promise.resolve().then(()=>(Sa(),Ca)),"../learn/grid.ts":()=>Promise.resolve().then(()=>(Ra(),$a)),"../parts/acts.ts":()=>Promise.resolve().then(()=>(ye(),jr)),"../parts/ask.ts":()=>Promise.resolve().then(()=>(Ke(),pi)),"../parts/attention.ts":()=>Promise.resolve().then(()=>(Dt(),gi)),"../parts/charts/chart.ts":()=>Promise.resolve().then(()=>(Qt(),ol)),"../parts/charts/chart_export.ts":()=>Promise.resolve().then(()=>(Os(),il)),"../parts/charts/chart_store.ts":()=>Promise.resolve().then(()=>(vt(),Ka)),"../parts/charts/chart_theme.ts":()=>Promise.resolve().then(()=>(Fn(),Xa)),"../parts/charts/charts.ts":()=>Promise.resolve().then(()=>(Tl(),vl)),"../parts/charts/examples.ts":()=>Promise.resolve().then(()=>(Ns(),ml)),"../parts/charts/heads.ts":()=>Promise.resolve().then(()=>(zs(),ul)),"../parts/charts/toolbar.ts":()=>Promise.resolve().then(()=>(Is(),fl)),"../parts/heatmaps/colours.ts":()=>Promise.resolve().then(()=>(X(),Li)),"../parts/heatmaps/group.ts":()=>Promise.resolve().then(()=>(tt(),_i)),"../parts/heatmaps/layout.ts":()=>Promise.resolve().then(()=>(nt(),Yi)),"../parts/heatmaps/legend.ts":()=>Promise.resolve().then(()=>(Xn(),Ll)),"../parts/heatmaps/message.ts":()=>Promise.resolve().then(()=>(Ee(),fi)),"../parts/heatmaps/tile.ts":()=>Promise.resolve().then(()=>(Be(),Ui)),"../parts/live/changes.ts":()=>Promise.resolve().then(()=>(Rl(),$l)),"../parts/live/focus.ts":()=>Promise.resolve().then(()=>Mt(Ws())),"../parts/live/progress.ts":()=>Promise.resolve().then(()=>(Pl(),zl)),"../parts/live/stream.ts":()=>Promise.resolve().then(()=>($e(),_a)),"../parts/map/diagram.ts":()=>Promise.resolve().then(()=>(Ul(),jl)),"../parts/map/follow.ts":()=>Promise.resolve().then(()=>(on(),Vl)),"../parts/shortcuts.ts":()=>Promise.resolve().then(()=>(He(),Hr)),"../parts/shown.ts":()=>Promise.resolve().then(()=>(ke(),Kr)),"../parts/streamlit_dom.ts":()=>Promise.resolve().then(()=>(de(),Or)),"../parts/styles.ts":()=>Promise.resolve().then(()=>(H(),qr)),"../parts/tips.ts":()=>Promise.resolve().then(()=>($n(),mi)),"../parts/views.ts":()=>Promise.resolve().then(()=>(N(),Jr)),"../parts/words.ts":()=>Promise.resolve().then(()=>(M(),Pr)),"../passes/cell/cells.ts":()=>Promise.resolve().then(()=>(Js(),Fl)),"../passes/cell/expression.ts":()=>Promise.resolve().then(()=>(Xs(),Zl)),"../passes/cell/play.ts":()=>Promise.resolve().then(()=>(er(),ec)),"../passes/frame.ts":()=>Promise.resolve().then(()=>(nr(),tc)),"../passes/look.ts":()=>Promise.resolve().then(()=>(or(),nc)),"../passes/maps.ts":()=>Promise.resolve().then(()=>(ac(),ic)),"../passes/marks.ts":()=>Promise.resolve().then(()=>(hr(),mc)),"../passes/matrices.ts":()=>Promise.resolve().then(()=>(fc(),pc)),"../passes/pictures.ts":()=>Promise.resolve().then(()=>(Wn(),Ea)),"../passes/statement.ts":()=>Promise.resolve().then(()=>(pr(),bc)),"../passes/table.ts":()=>Promise.resolve().then(()=>(eo(),dc)),"../passes/tensors.ts":()=>Promise.resolve().then(()=>(kc(),xc)),"../runs/text_file.ts":()=>Promise.resolve().then(()=>(Mc(),Ec)),"../shell/address.ts":()=>Promise.resolve().then(()=>Mt(po())),"../shell/every_page.ts":()=>Promise.resolve().then(()=>(Mo(),Vr)),"../shell/keys.ts":()=>Promise.resolve().then(()=>(Ac(),Sc)),"../shell/presenter.ts":()=>Promise.resolve().then(()=>(Po(),di)),"../shell/scripts.ts":()=>Promise.resolve().then(()=>(sd(),od)),"../shell/start.ts":()=>Promise.resolve().then(()=>Mt($c())),"../shell/theme.ts":()=>Promise.resolve().then(()=>(So(),Gr)),"../step/outline.ts":()=>Promise.resolve().then(()=>(Nc(),Oc)),"../train/runs.ts":()=>Promise.resolve().then(()=>(Vc(),Wc)),"../train/slow_motion.ts":()=>Promise.resolve().then(()=>(_c(),Fc)),"../train/sweep.ts":()=>Promise.resolve().then(()=>(nd(),td))})});var od={};x(od,{default:()=>Bf});var Bf,sd=b(()=>{Po();$n();Er();Bf=t=>If(`../${t}.ts`)});sd();export{Bf as default};

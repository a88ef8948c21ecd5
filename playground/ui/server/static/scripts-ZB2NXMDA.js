var Zc=Object.create;var wo=Object.defineProperty;var eh=Object.getOwnPropertyDescriptor;var th=Object.getOwnPropertyNames;var nh=Object.getPrototypeOf,oh=Object.prototype.hasOwnProperty;var Br=n=>e=>{var t=n[e];if(t)return t();throw new Error("Module not found in bundle: "+e)};var w=(n,e,t)=>()=>{if(t)throw t[0];try{return n&&(e=n(n=0)),e}catch(o){throw t=[o],o}};var yo=(n,e)=>()=>{try{return e||n((e={exports:{}}).exports,e),e.exports}catch(t){throw e=0,t}},x=(n,e)=>{for(var t in e)wo(n,t,{get:e[t],enumerable:!0})},sh=(n,e,t,o)=>{if(e&&typeof e=="object"||typeof e=="function")for(let s of th(e))!oh.call(n,s)&&s!==t&&wo(n,s,{get:()=>e[s],enumerable:!(o=eh(e,s))||o.enumerable});return n};var At=(n,e,t)=>(t=n!=null?Zc(nh(n)):{},sh(e||!n||!n.__esModule?wo(t,"default",{value:n,enumerable:!0}):t,n));var ko=yo(()=>{var Wr="compare",rh=history.pushState.bind(history),xo={from:"",at:-1/0};history.pushState=(n,e,t)=>{let o=new URL(t??"",location.href),s=o.pathname!==location.pathname,r=o.searchParams.has(Wr)&&!new URLSearchParams(location.search).has(Wr);!s&&location.search&&!o.search&&(xo={from:location.href,at:performance.now()}),s&&!location.search&&performance.now()-xo.at<1e3&&history.replaceState(history.state,"",xo.from),s||r?rh(n,e,o.href):history.replaceState(n,e,t)}});var Ur={};x(Ur,{arrange:()=>ye,button:()=>E,chooser:()=>Ve,clip:()=>Ot,decimal:()=>D,drawing:()=>P,element:()=>c,exact:()=>xe,label:()=>ne,notices:()=>dt,penOf:()=>me,percent:()=>H,position:()=>pe,range:()=>pt,remember:()=>Rt,remembered:()=>ht,scrolling:()=>ct,short:()=>mt,size:()=>ze,summary:()=>Nt,tabular:()=>vo,visible:()=>X,whole:()=>ke,write:()=>v});function c(n,e="",...t){let o=document.createElement(n);e&&(o.className=e);for(let s of t)s&&(typeof s=="string"||s instanceof Node?o.append(s):Object.assign(o,s));return o}function E(n,e,t,o={}){let s=c("button",n,e,{type:"button",...o});return s.addEventListener("click",t),s}function Ve(n,e){let t=c("input","",{type:"file",accept:n,hidden:!0});return t.addEventListener("change",()=>{e([...t.files??[]]),t.value=""}),t}function ct(n,e,...t){return c("div",n,...t,{tabIndex:0,role:"region",ariaLabel:e})}function P(n,e,...t){let o=document.createElementNS("http://www.w3.org/2000/svg",n);for(let[s,r]of Object.entries(e))o.setAttribute(s,String(r));return o.append(...t),o}function me(n,e){return n.getContext("2d",e)}function ht(n,e){try{return window[n].getItem(e)}catch{return null}}function Rt(n,e,t){try{window[n].setItem(e,t)}catch{}}function dt(){let n=c("div","playground-notice",{role:"status"});return document.body.append(n),n}function v(n,e){n.textContent!==e&&(n.textContent=e)}function ye(n,e){let{children:t}=n;if(t.length===e.length&&e.every((s,r)=>t[r]===s))return;let o=n.getRootNode().activeElement;n.replaceChildren(...e),o instanceof HTMLElement&&n.contains(o)&&o.focus({preventScroll:!0})}function ze(n,e,t){n.style.width=`${e}px`,n.style.height=`${t}px`}function X(n){let e=n.replaceAll(`
`,"↵").replaceAll("	","⇥");return e.trim()?e:e.replaceAll(" ","␣")}function xe(n,e){let t=n.values[e],o=n.hidden?.[e]??0;return n.kind==="mask"?t?"allowed":`blocked${o?` (${Gr[o]})`:""}`:o||t===-1/0?`${D(t)} (masked${o?`: ${Gr[o]}`:""})`:n.whole?String(t):D(t)}function vo(n,e){let t=n.hidden?.[e]??0,o=n.kind==="mask"?n.values[e]?"allowed":"blocked":n.whole?String(n.values[e]):D(n.values[e]);return t?`${o} (${ih[t]})`:o}function D(n){if(n===-1/0||n===null)return"-∞";if(n===0)return"0";let e=Math.abs(n);return e>=1e5||e<.001?n.toExponential(4):n.toFixed(4)}function H(n){if(typeof n!="number"||Number.isNaN(n))return"not measured";for(let e=1;e<=5;e++){let t=(100*n).toFixed(e);if(Number(t)>0&&Number(t)<100||n<=0||n>=1)return`${t.replace(/\.0$/,"")} %`}return n>.5?"almost 100 %":"almost 0 %"}function ke(n){return Math.round(n).toLocaleString("en")}function mt(n,e){let t=Math.abs(e);return n.whole||e===0?String(e):t>=1e4||t<.005?e.toExponential(0):e.toFixed(t<9.995?2:t<99.95?1:0)}function jr(n,e){return n.first+e+(n.axis==="V"?0:1)}function ne(n,e){if(!n.axis)return"";let t=n.names?.names[n.first+e-n.names.first];return t===void 0?String(jr(n,e)):X(t)}function pe(n,e,t){if(!e.axis)return"";let o=jr(e,t);return e.names?`${n} “${ne(e,t)}” (${e.axis} ${o})`:`${e.axis} ${o}`}function pt(n,{first:e,count:t,size:o},s){return t<o?`${n} ${e+s}–${e+t-1+s} of ${o}`:""}function Ot(n,e,t){if(n.measureText(e).width<=t+1)return e;let o=e.length-1;for(;o>0&&n.measureText(`${e.slice(0,o)}…`).width>t;)o--;return o>0?`${e.slice(0,o)}…`:""}function Nt(n,e){let t=(d,m,p)=>`${d} ${m}${d===1?"":"s"}${p&&` (${p})`}`,o=Array.from(e.values),s=o.filter(Number.isFinite),r=s.reduce((d,m)=>Math.min(d,m),1/0),i=s.reduce((d,m)=>Math.max(d,m),-1/0),a=e.kind==="mask"?0:o.reduce((d,m,p)=>d+ +(m===-1/0||(e.hidden?.[p]??0)>0),0),l=e.kind==="mask"?`${s.filter(Boolean).length} of ${e.values.length} cells allowed`:e.kind==="tokens"?"tokens":s.length?`values from ${D(r)} to ${D(i)}`:"no values",h=`${t(e.rows,"row",e.row.axis)} by ${t(e.columns,"column",e.column.axis)}`;return`${n}: ${h}, ${l}${a?`, ${a} masked`:""}.`}var ih,Gr,S=w(()=>{ih=["","causal","padding","both"],Gr=["","causal mask","padding","causal mask and padding"]});var qr={};x(qr,{claim:()=>K,free:()=>F,letLettersAct:()=>To,lettersAct:()=>xn,nameOf:()=>ve,onLetters:()=>Eo});function F(n){let e=n.key.length>1||n.key===" ";return(Ht||e)&&Fr(n)}function Fr(n){if(n.defaultPrevented||n.isComposing||n.ctrlKey||n.altKey||n.metaKey)return!1;let e=n.composedPath().filter(t=>t instanceof Element);return e.some(t=>t.matches("dialog[open], [role=dialog], [role=listbox], [role=menu]"))||e.some(t=>t.matches(ah)&&!t.matches(lh))?!1:!(hh.test(n.key)&&e.some(t=>t.matches(ch)))}function K(n){n.preventDefault(),n.stopPropagation()}function ve({key:n,shiftKey:e}){return n.length===1?n.toLowerCase():e?`Shift+${n}`:n}function xn(){return Ht}function To(n){Ht=n,Rt("localStorage",yn,n?"on":"off")}function Eo(n){_r.add(n)}var ah,lh,ch,hh,yn,_r,Ht,V=w(()=>{S();ah="input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox]",lh="[type=checkbox], [type=radio], [type=range], [type=button]",ch="[role=slider], [role=spinbutton], [role=radio], [role=radiogroup], [role=tab], [type=radio], [type=range]",hh=/^(Arrow|Page|Home|End)/,yn="playground single-letter shortcuts",_r=new Set,Ht=ht("localStorage",yn)!=="off";addEventListener("storage",({key:n})=>{if(!(n!==yn&&n!==null)){Ht=ht("localStorage",yn)!=="off";for(let e of _r)e()}});document.addEventListener("keydown",n=>!Ht&&/^[rc]$/i.test(n.key)&&Fr(n)&&n.stopPropagation(),{capture:!0})});var Kr={};x(Kr,{APP:()=>ut,BLOCK:()=>zt,COLUMN:()=>kn,CONNECTION:()=>vn,MAIN:()=>oe,MAIN_BLOCK:()=>Co,NAVIGATION_LINK:()=>Pt,REVEAL:()=>Lo,ROW:()=>So,SCRIPT_STATE:()=>ft,keyed:()=>ue});var ut,oe,Co,kn,So,zt,Pt,ft,Lo,vn,ue,fe=w(()=>{ut=".stApp",oe=".stMain",Co=".stMainBlockContainer",kn=".stColumn",So=".stHorizontalBlock",zt=`:is(.stElementContainer, [data-testid=stLayoutWrapper], ${kn})`,Pt=":is(.stAppHeader, .stSidebar) a",ft="data-test-script-state",Lo="[class*=st-key-reveal-] button",vn="data-test-connection-state",ue=n=>`.st-key-${n}`});var Qr={};x(Qr,{arrive:()=>Ro,limit:()=>Oo});function Ro(n){if(Vr===n)return;Vr=n,clearInterval(Mo);let e=0,t=0;Mo=setInterval(()=>{let o=document.querySelector(ut)?.getAttribute(ft)==="notRunning";e=o?e+1:0,(e===mh||++t===ph)&&clearInterval(Mo);let{activeElement:s}=document;if(s!==document.body&&!s?.matches(Pt))return;let r=o?document.querySelector(`${oe} h1`):null;r?.setAttribute("tabindex","-1"),r?.focus({preventScroll:!0})},dh)}function Oo(n){Ao=Object.fromEntries(Object.entries(n).map(([e,t])=>[e.replace(/[^\w-]/g,"-"),t]))}function bh(){let n=document.querySelector(ut)?.getAttribute(vn),e=Yr&&n!=="CONNECTED";Yr||=n==="CONNECTED",e?Tn||(Tn=setTimeout(()=>v(Xr,"Connection lost. Reconnecting …"),fh)):(clearTimeout(Tn),Tn=0,v(Xr,""))}var dh,mh,ph,uh,fh,Vr,Mo,gh,Ao,$o,Jr,Xr,Tn,Yr,No=w(()=>{V();fe();S();dh=100,mh=10,ph=100,uh=8e3,fh=1500,Vr=location.pathname.split("/").pop(),Mo=0;gh={PageDown:.9,PageUp:-.9};addEventListener("keydown",n=>{let e=gh[n.key];if(!e||n.shiftKey||document.activeElement!==document.body||!F(n))return;let t=document.querySelector(oe);t?.scrollBy({top:e*t.clientHeight})});Ao={},$o=dt(),Jr=0;addEventListener("input",({target:n})=>{if(!(n instanceof HTMLInputElement||n instanceof HTMLTextAreaElement))return;let[,e=""]=/st-key-([\w-]+)/.exec(n.closest("[class*=st-key-]")?.className??"")??[],{length:t}=n.value,o=Ao[e]??Ao[""];if(clearTimeout(Jr),!(t>o))return v($o,"");let s=r=>r.toLocaleString("en");v($o,`The text is too long: ${s(t)} characters. Use ${s(o)} or fewer.`),Jr=setTimeout(()=>v($o,""),uh)},{capture:!0});Xr=dt(),Tn=0,Yr=!1;new MutationObserver(bh).observe(document.body,{subtree:!0,attributeFilter:[vn],childList:!0})});var Zr={};x(Zr,{themes:()=>Ho});function Ho(){let n=Object.entries(wh).map(([t,o])=>new Option(o,t)),e=c("select","small-button",...n,{ariaLabel:"Theme",title:"Choose a light or dark theme",value:yh()});return e.addEventListener("change",()=>xh(e.value)),e}var wh,yh,xh,zo=w(()=>{S();wh={"":"System theme",light:"Light theme",dark:"Dark theme"},{chosen:yh,choose:xh}=window.playgroundTheme});var ei={};x(ei,{Acts:()=>W});var W,Te=w(()=>{W=class{pending=[];#e=0;#t="";#o=null;#r=0;#n=0;adopt({session:e,heard:t},o){this.#o=o;let s=this.pending.length;this.#t!==e&&(this.pending=[]),this.#t=e,this.pending=this.pending.filter(([r])=>r>t),this.#e=Math.max(this.#e,t),this.pending.length<s&&(clearTimeout(this.#n),this.#n=0),this.#s()}release(){this.#o=null}add(e,t="",o=null){this.pending.push([++this.#e,e,t,o]),this.#s()}#s(){!this.#o||this.#n||!this.pending.length||(this.#n=setTimeout(()=>{this.#n=0,this.#s()},3e3),this.#o({session:this.#t,message:++this.#r,acts:[...this.pending]}))}}});var M,I=w(()=>{M=`/* What the sheets of components share. Rules in :where() give way to any other. */
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
`});var ni,ti=w(()=>{ni=`/* The map's components: the way to an operation, the outline, the window of keys, the statement in its function. */
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
`});var si={};x(si,{calm:()=>Y,dress:()=>Pe,mapSheets:()=>se});function Th(n){let e=oi.get(n);return e||(e=new CSSStyleSheet,e.replaceSync(n),oi.set(n,e)),e}function Pe(n,e){let t=n.getRootNode(),o=e.map(Th).filter(s=>!t.adoptedStyleSheets.includes(s));o.length&&(t.adoptedStyleSheets=[...t.adoptedStyleSheets,...o])}function Y(){return matchMedia("(prefers-reduced-motion: reduce)").matches}var oi,se,Q=w(()=>{I();ti();oi=new Map;se=[M,ni]});var ri={};x(ri,{Shown:()=>Ee,lit:()=>re,siblings:()=>gt,slide:()=>It,walk:()=>Je});var Ee,re,Je,gt,It,Ce=w(()=>{Ee=class{value=null;#e=null;#t=new Set;watch(e){return this.#t.add(e),e(this.value),()=>{this.#t.delete(e)}}set(e,t){if(!t&&this.#e!==e)return!1;this.#e=t&&e,this.value=t;for(let o of this.#t)o(t);return!0}},re=new Ee,Je=new Ee,gt=new Ee,It=new Ee});var ii={};x(ii,{component:()=>C});function C(n,e,t){let o=new WeakMap;return s=>{let r=s.parentElement,i=o.get(r)??{drawn:(Pe(r,n),e(r)),calls:0};o.set(r,i);let a=++i.calls;return t(i.drawn,s),()=>setTimeout(()=>{i.calls===a&&(i.drawn.close(),o.delete(r))},Eh)}}var Eh,O=w(()=>{Q();Eh=500});var xi={};x(xi,{default:()=>Oh,listen:()=>Nh});function Nh({data:n,setStateValue:e}){return En=n.link,Cn.adopt(n,t=>e("acts",t)),()=>{En===n.link&&(En={},Cn.release())}}function Wt(){return bt?.node.isConnected?bt.data:null}function Do(){return(Wt()?.slides??[]).filter(({parts:n,panels:e})=>{let t=document.querySelector(ue(n.at(-1)??"")),o=t&&e.length?[...t.querySelectorAll("*")].find(s=>s.shadowRoot)?.shadowRoot:null;return t&&(!e.length||e.some(s=>o?.querySelector(`[data-panel="${s}"]`)))})}function Mn(){if(N===null)return null;let n=Do();return n.find(({name:e})=>e===N)??n[0]??null}function li(n){let e=Do(),t=Mn()?.name,o=e.findIndex(({name:s})=>s===t)+n;e[o]&&$n(e[o].name)}function $n(n){Sn="",N=n,history.replaceState(history.state,"",location.href),Bo()}function Bo(){let n=Do();if(n.some(s=>s.name===Sn))return $n(Sn);let e=Mn(),t=e?.name??null;N!==null!==ie.hasAttribute("data-present")&&(N===null?zh:fi)(),t!==(ie.dataset.slide??null)&&(t===null?delete ie.dataset.slide:ie.dataset.slide=t,ie.dataset.parts=(e?.parts??[]).join(" "),G.rules.textContent=e?Hh(e):"",document.querySelector(oe)?.scrollTo(0,0),G.announcement.textContent=e?.title??"",It.set(ie,e),Wo()),wi();let o=n.length>1?n.map(s=>s.name===t?"●":"○").join(" "):"";G.dots.textContent!==o&&(G.dots.textContent=o)}function Hh({parts:n}){let e=`:is(${n.map(ue).join(", ")})`,t=`[data-present]:has(${e}) ${Co}`;return`
    ${t} ${zt}:not(${e}, :has(${e}), ${e} *) {
      height: 0 !important; inset-inline: 0; min-height: 0; overflow: hidden; position: absolute; visibility: hidden;
    }
    ${t} ${kn}:has(${e}) { flex: 1 1 100%; max-width: none; min-width: 100%; }
    ${t} ${So}:has(${e}) { min-height: 0; }`}function fi(){ie.setAttribute("data-present",""),document.activeElement?.blur(),Wo(),jo(),G.tell(pi),yi(),ui=setInterval(Bo,400)}function zh(){ie.removeAttribute("data-present"),ie.style.removeProperty("--present-scale"),clearInterval(ui),Dt?.release(),G.tell(""),wt(null),jo(),document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function gi(){N!==null||!Wt()?.slides.length||($n(Ch),ie.requestFullscreen?.().then(()=>N===null?document.exitFullscreen():void 0).catch(()=>{}))}function Io(){N!==null&&$n(null)}function Wo(){N!==null&&(bi(Math.min(2.8,Math.max(1,Math.min(innerWidth/1024,innerHeight/576)))),wi())}function bi(n){Po=n,ie.style.setProperty("--present-scale",n.toFixed(3))}function wi(){let n=document.querySelector(oe);if(!(!n||!Mn()?.shrinks))for(;n.scrollHeight>n.clientHeight+1&&Po>ai;)bi(Math.max(ai,Po*.96))}async function yi(){if(!(N===null||document.hidden||Dt))try{let n=await navigator.wakeLock.request("screen");n.addEventListener("release",()=>Dt===n&&(Dt=null)),Dt=n,N===null&&n.release()}catch{N!==null&&G.tell(`${pi} · The screen may turn off`)}}function Ph(n){if(n==null)return n;let e=new URL(n,location.href);return e.searchParams.get(Bt)===N?n:(N===null?e.searchParams.delete(Bt):e.searchParams.set(Bt,N),e.href)}function Ih(){let n=new URL(location.href);n.searchParams.delete(Bt);for(let[e,t]of Object.entries(En))n.searchParams.set(e,t);return n.href}function Bh(){let n=Mn(),e=n&&document.querySelector(`${ue(n.parts.at(-1)??"")} ${Lo}`);if(!n||!e)return!1;let t=Wt()?.slides??[];return Sn=t[t.indexOf(n)+1]?.name??"",e.click(),!0}function di(n){let e=Wt(),t=e?.pages[e.pages.indexOf(e.page)+n];if(t===void 0)return;[...document.querySelectorAll(Pt)].find(r=>new URL(r.href).pathname.split("/").pop()===t)?.click()}function wt(n){if(n==="code"){G.encode(Ih());let t=/^(localhost|127\.|\[::1\])/.test(location.hostname);G.hint.textContent=t?"This link works on this computer only. For others, open the app by its name in the network.":""}let e=G.covered();G.black.hidden=n!=="black",G.code.hidden=n!=="code",n==="code"?G.copy.focus():e&&(G.copy.blur(),bt?.share.focus({preventScroll:!0}))}function Wh(){let n=document.createElement("style");document.head.append(n);let e=c("img","",{alt:"QR code of the link below"}),t=c("p","address"),o=c("p","hint",{role:"status"}),s=c("div","black",{hidden:!0}),r=E("copy","Copy link",async g=>{g.stopPropagation();try{await navigator.clipboard.writeText(t.textContent??""),o.textContent="Link copied."}catch{o.textContent="The browser did not allow it. Select the link and copy it."}}),a=c("div","code",e,t,r,o,{role:"dialog",ariaLabel:"Share: a link to what this page shows",hidden:!0}),l=c("div","dots",{ariaHidden:"true"}),h=c("div","keys-message"),d=c("div","announcement",{role:"status"}),m=0,p=g=>{m=1,e.src=new URL(`./qr?text=${encodeURIComponent(g)}`,document.baseURI).href,t.textContent=g};e.addEventListener("error",()=>{t.textContent.length>Mh?o.textContent="This link is too long for a QR code.":m++<$h?setTimeout(()=>!a.hidden&&e.setAttribute("src",e.src),Ah):o.textContent="The QR code could not be drawn. Close this and try again."});for(let g of[s,a])g.addEventListener("click",()=>wt(null));document.body.append(c("div","playground-presenter",l,h,d,s,a));let u=0;return{rules:n,encode:p,hint:o,copy:r,black:s,code:a,dots:l,announcement:d,tell:g=>{clearTimeout(u),h.textContent=g,g&&(u=setTimeout(()=>h.textContent="",Lh))},covered:()=>!s.hidden||!a.hidden}}function jo(){clearTimeout(mi);for(let n of Ln)n.adoptedStyleSheets=n.adoptedStyleSheets.filter(e=>e!==Go);Ln=[],N!==null&&(mi=setTimeout(Gh,Sh))}function Gh(){let n=[...document.querySelectorAll(`${oe} *`)].map(e=>e.shadowRoot).filter(e=>e!==null);Ln=[document,...n];for(let e of Ln)e.adoptedStyleSheets=[...e.adoptedStyleSheets,Go]}function jh(n){let e=E("small-button","",gi,{title:"Present one part at a time, in large type (F)",ariaKeyShortcuts:"F"});e.innerHTML='<svg viewBox="0 0 20 14" aria-hidden="true"><path d="M1 1h18M2.5 1v8h15V1M10 9v2M7 13.4l3-2.4 3 2.4"/></svg>Present';let t=E("small-button share","Share",()=>wt("code"),{title:"A link to what this page shows (Q)",ariaKeyShortcuts:"Q"}),o=c("div","tools",Ho(),t,e);return n.append(o),{node:o,present:e,share:t,data:null,close:()=>o.remove()}}var af,Bt,Ch,Sh,Lh,pi,Mh,$h,Ah,ai,Rh,ie,Cn,bt,En,N,Dt,Sn,Po,ui,G,Oh,ci,hi,Dh,Go,mi,Ln,Uo=w(()=>{af=At(ko());No();zo();Te();Q();V();Ce();fe();O();S();Bt="present",Ch="1",Sh=3e3,Lh=6e3,pi="Esc: leave · B: black · Q: QR code · ?: all keys",Mh=1e3,$h=4,Ah=2e3,ai=.9,Rh={f:"present",Escape:"leave",PageDown:"next",PageUp:"previous",ArrowRight:"next",ArrowLeft:"previous","Shift+PageDown":"nextPage","Shift+PageUp":"previousPage"," ":"run",s:"step",b:"black",".":"black",q:"code"},ie=document.documentElement,Cn=new W,bt=null,En={},N=new URLSearchParams(location.search).get(Bt),Dt=null,Sn="",Po=1,ui=0,G=Wh(),Oh=C(se,jh,(n,{data:e})=>{bt=n,bt.data=e,bt.present.hidden=!e.slides.length,Ro(e.page),Oo(e.max_chars),Bo()});ci=!1;document.addEventListener("fullscreenchange",()=>{!document.fullscreenElement&&ci&&Io(),ci=document.fullscreenElement!==null});addEventListener("resize",Wo);document.addEventListener("visibilitychange",yi);for(let n of["pushState","replaceState"]){let e=history[n].bind(history);history[n]=(t,o,s)=>e(t,o,Ph(s))}document.addEventListener("keydown",n=>{let e=n.key==="F5"&&!n.ctrlKey&&!n.metaKey&&!n.altKey,t=n.composedPath().includes(G.copy)&&["Enter"," "].includes(n.key);if(G.covered()&&!t&&!["Shift","Control","Alt","Meta"].includes(n.key)&&!n.ctrlKey&&!n.metaKey&&!n.altKey)wt(null);else if(!e||N===null)return;n.preventDefault(),n.stopImmediatePropagation()},{capture:!0});hi={present:()=>N===null?gi():Io(),leave:()=>N!==null&&Io(),next:()=>N!==null&&li(1),previous:()=>N!==null&&li(-1),nextPage:()=>N!==null&&di(1),previousPage:()=>N!==null&&di(-1),run:()=>N!==null&&(Bh()||Cn.add("run","",1)),step:()=>N!==null&&Cn.add("step","",1),black:()=>N!==null&&wt("black"),code:()=>wt("code")},Dh=new Set(["present","leave","run","black","code"]);addEventListener("keydown",n=>{let e=Wt()?.keys;if(!e||!F(n))return;let t=ve(n),o=Rh[t];!hi[o]||!e.includes(t)||t===" "&&n.composedPath().some(s=>s instanceof Element&&s.matches("button, a, summary, [role=button]"))||(n.repeat&&Dh.has(o)||hi[o]()!==!1)&&n.preventDefault()});Go=new CSSStyleSheet;Go.replaceSync("* { cursor: none !important }");mi=0,Ln=[];document.addEventListener("pointermove",jo,{passive:!0});N!==null&&fi()});var ki={};x(ki,{hide:()=>Se,hideSoon:()=>Nn,show:()=>On});function Uh(n){On(n,n.textContent,"",n.getAttribute("aria-description"))}function On(n,e,t,o,s=""){if(clearTimeout(Gt),_o===n&&!Z.hidden)return;_o=n;let r=[["title",e],["shape",t],["",o],["action",s]];Z.replaceChildren(...r.flatMap(([u,f])=>f?[c("div",u??"",f)]:[]));let i=getComputedStyle(document.querySelector(ut)??document.body);Z.style.background=i.color,Z.style.color=i.backgroundColor,Z.hidden=!1;let a=n.getBoundingClientRect(),{offsetWidth:l,offsetHeight:h}=Z,d=a.top-h-yt,m=a.bottom+yt,p=a.left+a.width/2-l/2;Z.style.left=`${Math.max(yt,Math.min(p,document.documentElement.clientWidth-l-yt))}px`,Z.style.top=`${d>yt||m+h>innerHeight?Math.max(yt,d):m}px`}function Nn(){clearTimeout(Gt),Gt=setTimeout(Se,120)}function Se(){clearTimeout(Gt),_o=null,Z.hidden=!0}var yt,Z,_o,Gt,An,Fo,Rn,Xe,Hn=w(()=>{fe();S();yt=8,Z=c("div","playground-tip"),_o=null,Gt=0;Z.setAttribute("role","tooltip");Z.hidden=!0;document.body.append(Z);An=n=>{let[e]=n.composedPath();return e instanceof Element?e.closest(".term"):null},Fo=n=>Z.contains(n.target),Rn=n=>{let e=An(n);return e&&Uh(e),e},Xe=document.addEventListener.bind(document);Xe("pointerover",n=>Fo(n)?clearTimeout(Gt):Rn(n));Xe("pointerout",n=>(An(n)||Fo(n))&&n.pointerType!=="touch"&&Nn());Xe("focusin",Rn);Xe("focusout",n=>An(n)&&Se());Xe("click",n=>Rn(n)||Fo(n)||Se());Xe("keydown",n=>{if(!An(n)||n.key!=="Enter"&&n.key!==" ")return Se();n.preventDefault(),Rn(n)});Xe("scroll",Se,{capture:!0,passive:!0});addEventListener("resize",Se)});var Ti,vi=w(()=>{Ti=`/* The first look: a sentence and a short tour beside a model at work. */
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
`});var Ei={};x(Ei,{Latest:()=>Le,ask:()=>ae});async function ae(n,e,t=()=>!0){for(let o=1;;o++){let s=await fetch(n,{signal:AbortSignal.timeout(e)}),r=Number(s.headers.get("Retry-After"));if(s.status!==429||o===4||!t())return s;let i=Date.now()+1e3*Math.min(30,Math.max(1,r||1))*(1+Math.random()/2);for(;Date.now()<i&&t();)await new Promise(a=>setTimeout(a,200));if(!t())return s}}var Le,Ie=w(()=>{Le=class{most;read;known=new Map;wanted=null;busy=!1;constructor(e,t){this.most=e,this.read=t}ask(e,t){let o=this.known.get(e);this.wanted=o?null:{address:e,act:t},o?t(o):this.busy||this.work()}forget(){this.wanted=null}async work(){for(this.busy=!0;this.wanted;){let{address:e}=this.wanted,t=await this.read(e,()=>this.wanted?.address===e);"problem"in t||this.known.set(e,t);let[o]=this.known.keys();if(this.known.size>this.most&&this.known.delete(o),this.wanted?.address!==e)continue;let{act:s}=this.wanted;this.wanted=null,s(t)}this.busy=!1}}});var Ci={};x(Ci,{decode:()=>j});function j(n){let e=n.slice().buffer,t=new DataView(e).getUint32(0,!0),o=JSON.parse(new TextDecoder().decode(new Uint8Array(e,4,t))),s=4+t,r=(i,a)=>{let l=new i(e,s,a);return s+=4*Math.ceil(l.byteLength/4),l};return o.tensors.forEach((i,a)=>{i.index=a,i.cells=i.rows.count*i.columns.count;let l=(i.heads?.count??1)*i.cells;i.values=i.kind==="mask"?r(Uint8Array,l):r(Float32Array,l),i.slopes=i.gradient?r(Float32Array,l):null,i.causes=i.hidden?r(Uint8Array,i.hidden*i.cells):null;for(let h of[i.rows,i.columns])h.names=o.labels[h.labels]??null}),o}var Me=w(()=>{});var Si={};x(Si,{attentionOf:()=>Ye});async function Ye(n,e,t){let o=new URLSearchParams(e);try{let s=new URL(`./library/${encodeURIComponent(n)}/attention?${o}`,document.baseURI),r=await ae(s,Fh,t);if(!r.ok)return{tensor:null,problem:await r.text(),later:r.status===429};let[i]=j(new Uint8Array(await r.arrayBuffer())).tensors;return{tensor:i,problem:"",later:!1}}catch{return{tensor:null,problem:"",later:!0}}}var Fh,jt=w(()=>{Ie();Me();Fh=2e4});var Li={};x(Li,{default:()=>Jh});function Xh(n){return[...n.replace(/[\s,]/g,"")].join(" ")}function Yh({values:n,heads:e,rows:t,columns:o},s){let r=e?.count??1;return Array.from({length:o.count},(i,a)=>{let l=0;for(let h=0;h<r;h++)l+=n[(h*t.count+s)*o.count+a];return l/r})}var qh,Kh,Vh,Jh,qo,Mi=w(()=>{I();vi();Ie();jt();Q();O();S();qh=300,Kh=550,Vh=.02,Jh=C([M,Ti],n=>new qo(n),(n,{data:e,setTriggerValue:t})=>{n.open=o=>t("stop",{tap:o,input:n.answered}),n.learn=()=>t("lesson",!0),n.show(e)});qo=class{stops;plot;status;input;questions;lines;open=()=>{};learn=()=>{};data=null;answered="";timer=0;typing=0;read=[];written=[];constructor(e){let t=o=>e.querySelector(o);t(".first").hidden=!1,this.stops=t(".stops"),t(".lesson").addEventListener("click",()=>this.learn()),this.plot=t(".plot"),this.status=t(".status"),this.input=t("input"),this.input.addEventListener("input",()=>{clearTimeout(this.typing),this.typing=setTimeout(()=>this.ask(),qh)}),this.questions=new Le(20,(o,s)=>{let{name:r,stamp:i}=this.data;return Ye(r,{stamp:i,input:o},s).then(a=>a.tensor??a)})}close(){clearTimeout(this.timer),clearTimeout(this.typing),this.questions.forget()}show(e){this.data||(this.data=e,this.stops.replaceChildren(...Object.entries(e.stops).map(([t,o],s)=>E("stop",`${s+1} ${t}`,()=>this.open(o)))),this.input.value=this.answered=e.input,this.ask())}ask(){let e=Xh(this.input.value);if(this.plot.classList.remove("old"),!e)return v(this.status,"");this.questions.ask(e,t=>{if(!("values"in t)){this.rest(),this.plot.classList.add("old"),v(this.status,t.problem||"The server does not answer. Type again to retry.");return}this.answered=e,this.draw(t)})}draw(e){clearTimeout(this.timer);let{rows:t,columns:o}=e,s=t.count-1;this.read=Array.from({length:o.count},(i,a)=>c("span","token",ne(o,a))),this.written=Array.from({length:s},(i,a)=>{let l=E("token",ne(t,a+1),()=>this.look(e,a));for(let h of["pointerenter","focus"])l.addEventListener(h,()=>this.look(e,a));return l}),this.lines=P("svg",{viewBox:`0 0 ${o.count} 1`,preserveAspectRatio:"none","aria-hidden":"true"}),this.plot.style.setProperty("--columns",String(o.count)),this.plot.replaceChildren(c("div","row",...this.read),this.lines,c("div","row",...this.written));let r=this.written.map(i=>i.textContent).join(" ");if(this.plot.setAttribute("aria-label",`Answer: ${r}`),Y()||!s){s&&this.look(e,0);return}this.plot.classList.add("writing"),this.write(e,0)}write(e,t){this.mark(e,t),this.written[t].classList.add("there"),t+1<this.written.length?this.timer=setTimeout(()=>this.write(e,t+1),Kh):this.plot.classList.remove("writing")}rest(){clearTimeout(this.timer),this.plot.classList.remove("writing")}look(e,t){this.rest(),this.mark(e,t)}mark(e,t){let o=Yh(e,t),s=o.indexOf(Math.max(...o));this.read.forEach((i,a)=>{i.style.setProperty("--weight",String(o[a])),i.classList.toggle("most",a===s)}),this.written.forEach((i,a)=>i.classList.toggle("shown",a===t)),this.lines?.replaceChildren(...o.flatMap((i,a)=>{if(i<Vh)return[];let l=P("path",{d:`M${t+.5} 1 C${t+.5} 0.4 ${a+.5} 0.6 ${a+.5} 0`});return l.style.setProperty("--weight",String(i)),[l]}));let r=e.heads?.count??1;v(this.status,`When the model predicts “${this.written[t].textContent}”, ${H(o[s])} of its cross-attention goes to the marked “${this.read[s].textContent}” (mean of ${r} heads).`)}}});var Ai,$i=w(()=>{Ai=`/* The library as cards. */
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
`});var Oi={};x(Oi,{CAUSAL:()=>Qe,PADDING:()=>xt,causeOf:()=>Vo,css:()=>q,drawn:()=>et,hatch:()=>Jo,hatchCss:()=>Pn,imageOf:()=>Ze,mix:()=>De,readTheme:()=>z,readableOn:()=>Ut,shade:()=>zn});function z(n){let e=getComputedStyle(n.host??n),t=c("canvas");t.width=t.height=1;let o=me(t,{willReadFrequently:!0}),s=p=>(o.clearRect(0,0,1,1),o.fillStyle=e.getPropertyValue(p).trim(),o.fillRect(0,0,1,1),[...o.getImageData(0,0,1,1).data.subarray(0,3)]),r=p=>[1,3,5].map(u=>parseInt(p.slice(u,u+2),16)),i=s("--st-background-color"),a=s("--st-text-color"),l=Ri(i)>.5?Zh:ed,h=p=>[i,...l[p].map(r)],d=parseFloat(getComputedStyle(document.documentElement).fontSize),m=e.getPropertyValue("--st-font").trim()||"sans-serif";return{background:i,panel:s("--st-secondary-background-color"),negative:h("negative"),positive:h("positive"),probability:h("probability"),allowed:De(i,a,.45),hatch:q(De(i,a,.4)),lines:`rgba(${a.join(", ")}, 0.16)`,labels:q(De(i,a,.75)),ink:q(a),accent:q(s("--st-primary-color")),small:`${.6875*d}px ${m}`,text:`${.75*d}px ${m}`,bold:`600 ${.75*d}px ${m}`,strong:`700 ${.6875*d}px ${m}`,family:m,line:Math.round(.875*d),scale:d/16}}function zn(n,e,t){if(!Number.isFinite(e))return t.background;if(n.kind==="tokens")return t.panel;if(n.kind==="mask")return e?t.allowed:t.background;if(n.kind==="probability")return Ko(t.probability,e);if(!n.coloured)return t.panel;let{most:o=1}=n;return e<0?Ko(t.negative,-e/o):Ko(t.positive,e/o)}function Ze(n,e,t=()=>!0){let o=new ImageData(n.columns,n.rows);for(let s=0;s<n.values.length;s++)o.data.set(zn(n,n.values[s],e),4*s),o.data[4*s+3]=t(s)?255:0;return o}function et(n,e){return Object.assign(n,{width:e.width,height:e.height}),me(n).putImageData(e,0,0),n}function Ko(n,e){let t=Math.min(Math.max(e,0),1)*2,o=t<1?0:1;return De(n[o],n[o+1],t-o)}function Ri(n){let[e,t,o]=Array.from(n,s=>{let r=s/255;return r<=.04045?r/12.92:((r+.055)/1.055)**2.4});return .2126*e+.7152*t+.0722*o}function Ut(n){return Ri(n)>.179?"#000":"#fff"}function De(n,e,t){return n.map((o,s)=>Math.round(o+(e[s]-o)*t))}function q(n){return`rgb(${n.join(", ")})`}function Vo(n,e){return(n.hidden?.[e]??0)||(n.values[e]===-1/0?Qe:0)}function Jo(n,e,t,o){let s=Math.round(6*o),r=c("canvas");r.width=r.height=s;let i=me(r);i.strokeStyle=e.hatch,i.lineWidth=o,i.beginPath();for(let l of[-s,0,s])t&Qe&&(i.moveTo(l,s),i.lineTo(l+s,0)),t&xt&&(i.moveTo(l,0),i.lineTo(l+s,s));i.stroke();let a=n.createPattern(r,"repeat");return a?.setTransform(new DOMMatrix().scale(1/o)),a??"transparent"}function Pn(n,e){let t=o=>`repeating-linear-gradient(${o}deg, ${n.hatch} 0 1px, transparent 1px 4px)`;return[e&Qe&&t(135),e&xt&&t(45)].filter(Boolean).join(", ")}var Zh,ed,Qe,xt,ee=w(()=>{S();Zh={negative:["#74abd9","#0b4a8f"],positive:["#f3a354","#9c4100"],probability:["#9b78d3","#3d0f70"]},ed={negative:["#2c68a8","#9bd0ff"],positive:["#a85a10","#ffc27d"],probability:["#8558cc","#e4d4ff"]},Qe=1,xt=2});var zi={};x(zi,{keepClear:()=>Zo});function Zo(n){Dn!==n&&(Dn=n,Ni.observe(document.body,{childList:!0,subtree:!0}),addEventListener("scroll",tt,{capture:!0,passive:!0}),addEventListener("resize",tt)),tt()}function tt(){Hi||=requestAnimationFrame(td)}function td(){if(Hi=0,!Dn?.isConnected)return nd();let n=[ue("card-actions"),ue("dock")].map(i=>document.querySelector(i));if(n.some((i,a)=>i!==Qo[a])){Yo.disconnect();for(let i of n)i&&Yo.observe(i);Qo=n}let[e,t]=n;if(!e||!t)return Xo.style.removeProperty("--corner");let{top:o,bottom:s}=e.getBoundingClientRect(),r=innerHeight-s>=t.offsetHeight+2*In;Xo.style.setProperty("--corner",`${Math.round(r?In:Math.max(In,innerHeight-o+In/2))}px`)}function nd(){Dn=null,Qo=[],Ni.disconnect(),Yo.disconnect(),removeEventListener("scroll",tt,{capture:!0}),removeEventListener("resize",tt),Xo.style.removeProperty("--corner")}var In,Xo,Yo,Ni,Dn,Qo,Hi,es=w(()=>{fe();In=14,Xo=document.documentElement,Yo=new ResizeObserver(tt),Ni=new MutationObserver(tt),Dn=null,Qo=[],Hi=0});var Pi={};x(Pi,{say:()=>Be,upload:()=>_t});async function _t(n,e){if(ts)return null;let t=sd(n,e);if(t)return Be(t,!0);ts=!0,Be(`Uploading ${n.name}`);try{let{name:o,message:s,problem:r}=await rd(n);return o?(Be(s??""),setTimeout(()=>$e.text.textContent===s&&ns(),od),o):Be(r||"The server refused the file. Try again.",!0)}catch{return Be("The file did not reach the server. Check your connection and try again.",!0)}finally{ts=!1,$e.bar.hidden=!0}}function Be(n,e=!1){return $e.text.textContent=n,$e.node.classList.toggle("wrong",e),$e.node.hidden=!1,$e.close.hidden=!e,null}function sd({name:n,size:e},t){return/\.zip$/i.test(n)?e>t?`${n} is too large. A checkpoint has at most ${Math.round(t/1e6)} MB.`:"":`${n} isn't a checkpoint. Choose a .zip made by Download.`}function rd(n){return new Promise((e,t)=>{let o=new XMLHttpRequest,s=new URLSearchParams({name:n.name});o.open("POST",new URL(`./checkpoint?${s}`,document.baseURI)),o.responseType="json",o.upload.onprogress=({loaded:r,total:i,lengthComputable:a})=>{$e.bar.hidden=!a,a&&($e.bar.value=r/i)},o.onload=()=>e(o.response??{}),o.onerror=o.ontimeout=o.onabort=t,o.send(n)})}function ns(){$e.node.hidden=!0}function id(){let n=c("span"),e=c("progress","",{max:1,value:0,hidden:!0}),t=E("","Close",ns),o=c("div","playground-upload",n,e,t,{hidden:!0,role:"status"});return addEventListener("keydown",s=>s.key==="Escape"&&!t.hidden&&ns()),document.body.append(o),{node:o,text:n,bar:e,close:t}}var od,$e,ts,Bn=w(()=>{S();od=6e3,$e=id(),ts=!1});var Ii={};x(Ii,{default:()=>pd});function ud(n){return n.text??=[n.name,n.task,n.reads,n.architecture,n.origin,n.begun,n.problem&&"unusable"].join(" ").toLowerCase(),n.text}function fd(n,e){let[t,o]=[n??null,e??null].map(s=>s===null);return t||o?Number(t)-Number(o):typeof n=="number"?Number(e)-n:md.compare(String(n),String(e))}function gd({problem:n,task:e,reads:t,architecture:o,exact:s,evidence:r,step:i,size:a,saved:l,origin:h,begun:d,shipped:m}){let p=typeof s=="number",u=p&&c("div","gauge");u&&u.style.setProperty("--share",String(s));let f=c("div","score",p&&c("strong","",H(s)," "),c("span","soft",p?"exact match":"not tested"));f.title=r;let b=[n&&"unusable",h&&`from ${h}`,d&&`goes on from ${d}`,m&&"included with the app"];return[n?"":c("div","",`${e}, ${t}`),c("div","soft",n||o),n?"":f,u||"",c("div","soft",[i,a,!m&&dd.format(1e3*l)].filter(Boolean).join(" · ")),c("div","badges wrap",...b.map(g=>g&&c("span","badge",g)))]}var ad,ld,cd,hd,dd,md,os,ss,pd,rs,is,Di=w(()=>{I();$i();Te();ee();jt();es();V();fe();Bn();O();S();ad={"":"newest first",name:"name",task:"task",exact:"accuracy, best first",bytes:"size, largest first"},ld=["select","move","open","added"],cd=400,hd=2,dd=new Intl.DateTimeFormat("en",{dateStyle:"medium",timeStyle:"short",hourCycle:"h23"}),md=new Intl.Collator("en",{numeric:!0}),os=new Set,ss=0,pd=C([M,Ai],n=>new rs(n),(n,{data:e,setStateValue:t})=>{n.acts.adopt(e,o=>t("acts",o)),n.show(e)}),rs=class{root;theme;data;cards=new Map;shown=[];acts=new W;typing=0;search=c("input","",{type:"search",placeholder:"Search",ariaLabel:"Search the library"});order=c("select","",...Object.entries(ad).map(([e,t])=>new Option(t,e)));count=c("span","count",{role:"status"});grid=c("ul","grid",{ariaLabel:"Checkpoints"});nothing=c("p","nothing");file=Ve(".zip,application/zip",async([e])=>{let t=e?await _t(e,this.data.most):null;t&&this.act("added",t)});choose=E("","Upload",()=>this.file.click(),{title:"Choose a checkpoint .zip, or drop it on this page."});bar=c("div","bar wrap large",this.search,c("label","","Sort by ",this.order),this.count,this.choose,this.file);box=c("div","box",this.bar,this.grid,this.nothing);sight=new IntersectionObserver(e=>{for(let{target:t,isIntersecting:o}of e)this.cards.get(t.dataset.name??"")?.look(o)},{rootMargin:"120px"});constructor(e){this.root=e,this.theme=z(e),this.search.addEventListener("input",()=>{clearTimeout(this.typing),this.typing=setTimeout(()=>{this.typing=0,this.act("search","",this.search.value)},cd),this.draw()}),this.search.addEventListener("keydown",t=>t.stopPropagation()),this.order.addEventListener("change",()=>this.act("sort","",this.order.value)),this.grid.addEventListener("keydown",t=>this.move(t)),e.append(this.box)}close(){clearTimeout(this.typing),this.sight.disconnect(),this.box.remove()}show(e){let t=this.data?.selected??e.selected;this.data=e,this.theme=z(this.root),!this.typing&&!this.acts.pending.some(([,o])=>o==="search")&&(this.search.value=e.search),this.draw(),t!==e.selected&&this.cards.get(e.selected)?.node.scrollIntoView({block:"nearest"}),!this.typing&&!this.acts.pending.length&&this.settle(),Zo(this.box)}act(e,t,o){this.acts.add(e,t,o),this.draw()}settle(){let e=this.shown[0]?.name??"";e!==this.data.selected&&!this.shown.some(({name:t})=>t===this.data.selected)&&this.act("move",e)}get expected(){let{rows:e,selected:t,sort:o}=this.data,s={rows:e,selected:t,sort:o,ticked:new Set(this.data.ticked)};for(let[,r,i,a]of this.acts.pending)r==="sort"&&(s.sort=a),r==="tick"&&s.ticked[a?"add":"delete"](i),r==="delete"&&(s.rows=s.rows.filter(l=>l.name!==i)),ld.includes(r)&&(s.selected=i),r==="delete"&&(s.selected=a??i);return s}draw(){let{grid:e,search:t,nothing:o}=this,{rows:s,selected:r,sort:i,ticked:a}=this.expected;this.order.value=i;let l=t.value.toLowerCase().split(/\s+/),h=s.filter(u=>l.every(f=>ud(u).includes(f)));i&&h.sort((u,f)=>fd(u[i],f[i])),this.shown=h;let d=h.map(u=>{let f=this.cards.get(u.name)??new is(this,u);return f.fill(u,u.name===r,a),f}),m=[...e.children].findIndex(u=>u.matches(":focus-within"));ye(e,d.map(({node:u})=>u)),m>=0&&!e.matches(":focus-within")&&d[Math.min(m,d.length-1)]?.pick.focus();let p=d.find(({row:u})=>u.name===r)??d[0];for(let u of this.cards.values())u.pick.tabIndex=u===p?0:-1;document.querySelector(ue("card-buttons"))?.toggleAttribute("inert",!h.some(({name:u})=>u===this.data.selected)),v(this.count,t.value.trim()?`${h.length} of ${s.length}`:`${s.length} checkpoint${s.length===1?"":"s"}`),o.hidden=h.length>0,v(o,s.length?`No checkpoint matches “${t.value}”.`:"No checkpoints yet. Train a model and save it, or drop a .zip on this page.")}move(e){let t=[...this.grid.children].flatMap(i=>this.cards.get(i.dataset.name??"")??[]),o=t.findIndex(({node:i})=>i.contains(e.target));if(o<0||e.altKey||e.ctrlKey||e.metaKey)return;let s=t.filter(({node:i})=>i.offsetTop===t[0].node.offsetTop).length,r={ArrowLeft:-1,ArrowRight:1,ArrowUp:-s,ArrowDown:s,Home:-o,End:t.length}[e.key];if(r!==void 0){K(e);let i=t[Math.min(t.length-1,Math.max(0,o+r))];for(let a of t)a.pick.tabIndex=a===i?0:-1;i.pick.focus()}else e.key==="Delete"&&!e.repeat&&!t[o].row.shipped&&this.act("delete",t[o].row.name,(t[o+1]??t[o-1])?.row.name)}};is=class{cards;row;stamp="";seen=!1;picture=null;ink="";box=c("input");pick;heads=c("div","heads");facts=c("div","facts");tick=c("label","tick",this.box,"Compare");node;constructor(e,t){let{name:o}=t;this.cards=e,this.row=t,Object.assign(this.box,{type:"checkbox",ariaLabel:`Compare ${o}`}),this.box.addEventListener("change",()=>e.act("tick",o,this.box.checked)),this.pick=E("pick",o,()=>e.act("select",o)),this.pick.addEventListener("dblclick",()=>e.act("open",o)),this.node=c("li","card",this.heads,this.pick,this.facts,this.tick),this.node.dataset.name=o,e.cards.set(o,this),e.sight.observe(this.node)}fill(e,t,o){let{box:s,node:r,pick:i,tick:a}=this;r.classList.toggle("selected",t),i.ariaPressed=String(t),s.checked=o.has(e.name),s.disabled=!!e.problem||!s.checked&&o.size>=2,a.title=e.problem?"This checkpoint can't be used.":s.disabled?"Compare two at a time.":"";let l=JSON.stringify(e);this.stamp!==l&&(Object.assign(this,{row:e,stamp:l,picture:null}),r.classList.toggle("unusable",!!e.problem),this.facts.replaceChildren(...gd(e)),this.heads.replaceChildren(),this.look(this.seen)),this.picture&&this.ink!==this.cards.theme.ink&&this.paint()}async look(e){if(this.seen=e,!(!e||this.picture||this.row.problem)&&(os.add(this),!(ss>=hd))){ss+=1;for(let t of os)os.delete(t),t.seen&&t.node.isConnected&&!t.picture&&await t.ask();ss-=1}}async ask(){let{name:e,stamp:t}=this.row,o=()=>this.seen&&this.row.stamp===t,{tensor:s,problem:r,later:i}=await Ye(e,{heads:"few",stamp:t},o);this.row.stamp===t&&(i||(this.picture=s??r),s?this.paint():r&&this.heads.replaceChildren(c("span","why",r)))}paint(){let{picture:e,heads:t,cards:{theme:o}}=this;if(this.ink=o.ink,!e||typeof e=="string"||!e.heads)return;let{rows:s,columns:r,cells:i,heads:a}=e;t.replaceChildren(...Array.from({length:a.count},(h,d)=>{let m=e.values.subarray(d*i,(d+1)*i);return et(c("canvas"),Ze({...e,values:m,rows:s.count,columns:r.count},o))}));let l=`Attention of ${a.count}${a.size>a.count?` of ${a.size}`:""} head${a.size>1?"s":""}`;Object.assign(t,{role:"img",ariaLabel:l,title:`${l} on an example`})}}});var Gi={};x(Gi,{default:()=>bd});function bd({data:n,setTriggerValue:e}){Ft={...n,kept:t=>e("kept",t)}}function as(n){return Ft&&[...n.dataTransfer?.types??[]].includes("Files")}function Wi(n){return e=>{as(e)&&(e.preventDefault(),Wn=Math.max(0,Wn+n),Bi.hidden=Wn===0)}}function wd(){let n=c("div","zone",c("strong","","Drop to load"),c("span","","a checkpoint as a .zip")),e=c("div","playground-drop",n,{hidden:!0});return document.body.append(e),e}var Bi,Ft,Wn,ji=w(()=>{Bn();S();Bi=wd(),Ft=null,Wn=0;addEventListener("dragenter",Wi(1));addEventListener("dragleave",Wi(-1));addEventListener("dragover",n=>as(n)&&n.preventDefault());addEventListener("drop",async n=>{if(!as(n))return;n.preventDefault(),Wn=0,Bi.hidden=!0;let e=[...n.dataTransfer?.files??[]];if(!Ft||e.length!==1)return Be("Drop only one file.",!0);let t=await _t(e[0],Ft.most);t&&Ft.kept(t)})});var ge,kt=w(()=>{ge=`/* A heatmap, as \`tile.ts\` draws it, and those of the heads of a tensor, as \`group.ts\` does. */
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
`});var _i,Ui=w(()=>{_i=`/* Attention of one of two checkpoints that are compared. */
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
`});var Vi={};x(Vi,{MIN_CELL:()=>qt,MOVES:()=>Kt,boxOf:()=>be,cellAt:()=>Ge,draw:()=>te,mark:()=>Re,measure:()=>Ae,newTile:()=>Vt,paintCells:()=>Jt,place:()=>We,reveal:()=>nt});function Vt(n){let e=c("div","title cut"),t=c("canvas"),o=c("div","marks"),s=c("div","layer",t,o),r=c("div","space",s),i=c("div","scroller",r);i.tabIndex=-1;let a=c("div","tile",e,i,{tabIndex:0,role:"application",ariaRoleDescription:"heatmap"});return n.append(a),{node:a,title:e,scroller:i,space:r,layer:s,canvas:t,marks:o,lit:[],cells:c("canvas")}}function Ae(n,e){let{grid:t}=n,o=me(n.canvas),s=(a,l)=>(o.font=l,Math.ceil(a.reduce((h,d)=>Math.max(h,o.measureText(d).width),0))),r=(a,l)=>Array.from({length:l},(h,d)=>ne(a,d)),i=t.kind==="tokens"&&t.rows===1;n.rowTicks=r(t.row,t.rows),n.columnTicks=r(i?{...t.column,names:null}:t.column,t.columns),n.cellTexts=t.kind!=="tokens"?null:i?r(t.column,t.columns):Array.from(t.values,String),n.textWidth=n.cellTexts?Math.min(120,s(n.cellTexts,e.text)+14):0,n.rowTickWidth=Math.min(Fi,s(n.rowTicks,e.small)),n.columnTickWidth=Math.min(Fi,s(n.columnTicks,e.small)),n.specialWidth=s(Ld,e.small),n.axes=[t.row.axis&&`${t.row.axis} ↓`,t.column.axis&&`${t.column.axis} →`].filter(Boolean).join("   "),n.least=Math.max(s([n.axes],e.small),Math.min(t.strip?300:160,s([t.title],e.bold)+2)),n.line=e.line}function be(n,e,t){let{grid:o,room:s=o}=n,r=n.rowTickWidth?n.rowTickWidth+8:0,i=Math.floor((t-r-2)/s.columns),a=Math.max(qt,Math.min(e,i)),l=Math.max(a,Math.min(e,kd));o.strip?{width:a,height:l}=Sd:o.kind==="tokens"?(a=Math.max(Math.min(a,30),n.textWidth),l=30):s.rows===1&&s.columns===1?(a=88,l=36):(s.rows<=3&&(l=Math.max(l,18)),s.columns<=3&&(a=Math.max(a,18)));let d=!(n.columnTickWidth<=a-2)&&a>=n.line-3,m=n.columnTickWidth?d?n.columnTickWidth+5:n.line:0,p=(n.axes?n.line:0)+m+1,u=o.title?n.line+4:0;return{gutter:r,head:p,cellWidth:a,cellHeight:l,turned:d,width:r+o.columns*a+2,height:p+o.rows*l+1,tileWidth:Math.min(t,Math.max(r+s.columns*a+2,n.least)),tileHeight:u+p+s.rows*l+1}}function We(n,e,t,o){n.box=e,n.node.style.width=`${e.tileWidth}px`,n.node.style.minHeight=o?"":`${e.tileHeight}px`,ze(n.space,e.width,e.height),ze(n.layer,0,0),n.scroller.style.maxHeight=o?`${o}px`:"";let s=n.scroller.offsetWidth-n.scroller.clientWidth;s&&(n.node.style.width=`${Math.min(t,e.tileWidth+s)}px`),n.viewport={width:Math.min(e.width,n.scroller.clientWidth),height:Math.min(e.height,n.scroller.clientHeight)},ze(n.layer,n.viewport.width,n.viewport.height),n.marks.style.left=`${e.gutter}px`,n.marks.style.top=`${e.head}px`,ze(n.marks,Math.max(0,n.viewport.width-e.gutter),Math.max(0,n.viewport.height-e.head))}function Ge(n,e,t){let{grid:o,box:s,scroller:r,layer:i}=n,a=i.getBoundingClientRect();if(e>a.right||t>a.bottom)return null;let l=e-a.left-s.gutter,h=t-a.top-s.head,d=Math.floor((l+r.scrollLeft)/s.cellWidth),m=Math.floor((h+r.scrollTop)/s.cellHeight);return l>=0&&h>=0&&m<o.rows&&d<o.columns?{row:m,column:d}:null}function nt(n,e,t){let{box:o,viewport:s,scroller:r}=n,i=(h,d,m,p)=>Math.max(Math.min(h,d),d+m-p),{cellWidth:a,cellHeight:l}=o;r.scrollLeft=i(r.scrollLeft,t*a,a,s.width-o.gutter),r.scrollTop=i(r.scrollTop,e*l,l,s.height-o.head)}function Re(n,e){for(n.lit=e;n.marks.children.length<e.length;)n.marks.append(c("div"));for(;n.marks.children.length>e.length;)n.marks.lastChild?.remove();let{box:t,scroller:o}=n;e.forEach(({name:s,rows:r,columns:i},a)=>{let l=n.marks.children[a];l.className=`mark ${s}`;let h=i[0]*t.cellWidth-o.scrollLeft,d=r[0]*t.cellHeight-o.scrollTop;l.style.transform=`translate(${h}px, ${d}px)`,ze(l,(i[1]-i[0])*t.cellWidth,(r[1]-r[0])*t.cellHeight)})}function Jt(n,e,t=null){n.made=t,n.image=Ze(n.grid,e,o=>Ki(n,o)),et(n.cells,n.image)}function Ki({made:n,grid:e},t){return!n||n(Math.floor(t/e.columns),t%e.columns)}function te(n,e){let{grid:t,box:o,viewport:s,canvas:r,scroller:i}=n,{gutter:a,head:l,cellWidth:h,cellHeight:d}=o,m=devicePixelRatio,p=Math.round(s.width*m),u=Math.round(s.height*m);(r.width!==p||r.height!==u)&&(r.width=p,r.height=u,ze(r,s.width,s.height));let f=me(r);f.setTransform(m,0,0,m,0,0),f.clearRect(0,0,s.width,s.height);let b=a-i.scrollLeft,g=l-i.scrollTop,T={row:Math.floor((l-g)/d),column:Math.floor((a-b)/h)},$={row:Math.min(t.rows,Math.ceil((s.height-g)/d)),column:Math.min(t.columns,Math.ceil((s.width-b)/h))};f.save(),f.beginPath(),f.rect(a,l,s.width-a,s.height-l),f.clip(),f.imageSmoothingEnabled=!1,f.drawImage(n.cells,b,g,t.columns*h,t.rows*d),Md(f,n,e,b,g,T,$,m),f.beginPath();let y=(k,A,B,_)=>f.rect(Math.round(k),Math.round(A),B,_),R=Math.min(h,d)>=10;for(let k=T.row;k<=$.row;k++)(R||k===0||k===t.rows)&&y(b,g+k*d-(k?1:0),t.columns*h,1);for(let k=T.column;k<=$.column;k++)(R||k===0||k===t.columns)&&y(b+k*h-(k?1:0),g,1,t.rows*d);f.fillStyle=e.lines,f.fill(),f.restore(),$d(f,n,e,b,g,T,$)}function Md(n,e,t,o,s,r,i,a){let{grid:l}=e,{cellWidth:h,cellHeight:d}=e.box,m=h>=Ed*t.scale&&d>=Cd*t.scale,p=e.cellTexts||l.kind!=="mask"&&m,u=[null,null,null,null];n.font=t.text,n.textAlign="center",n.textBaseline="middle";for(let f=r.row;f<i.row;f++)for(let b=r.column;b<i.column;b++){let g=f*l.columns+b;if(e.made&&!Ki(e,g))continue;let T=o+b*h,$=s+f*d,y=Vo(l,g);if(y)(u[y]??=new Path2D).rect(T,$,h,d);else if(p){let R=e.cellTexts?e.cellTexts[g]:mt(l,l.values[g]);n.fillStyle=Ut(e.image.data.subarray(4*g,4*g+3)),n.fillText(Ot(n,R,h-4),T+h/2,$+d/2+1)}}for(let f=1;f<=3;f++){let b=u[f];b&&(n.fillStyle=Jo(n,t,f,a),n.fill(b))}}function qi(n,e){return[1,2,4,5,8,10,16,20,25,32,50,64].find(o=>o*e>=n)??Math.ceil(n/e)}function $d(n,e,t,o,s,r,i){let{box:a,viewport:l,grid:h}=e,{gutter:d,head:m,cellWidth:p,cellHeight:u}=a;if(n.fillStyle=t.labels,n.font=t.small,n.textBaseline="middle",n.textAlign="left",n.fillText(e.axes,0,e.line/2),e.rowTickWidth){n.textAlign="right";let b=h.rows<=vd&&u>=Td,g=b?1:qi(e.line-2,u),T=y=>b&&u<e.line-2?y.replace(/[\d.]+px/,`${u}px`):y,$=y=>y%g===0||y===h.marked;for(let y=r.row;y<i.row;y++){let R=s+(y+.5)*u;!$(y)||R<m||!b&&h.marked!==null&&y!==h.marked&&Math.abs(y-h.marked)*u<e.line-2||(n.font=T(y===h.marked?t.strong:t.small),n.fillStyle=y===h.marked?t.ink:t.labels,n.fillText(Ot(n,e.rowTicks[y],e.rowTickWidth),d-7,R+.5))}n.font=t.small,n.fillStyle=t.labels}if(h.marked!==null&&h.marked>=r.row&&h.marked<i.row&&d){let b=Math.max(m,s+h.marked*u);n.fillStyle=t.accent,n.fillRect(d-5,b,4,s+(h.marked+1)*u-b),n.fillStyle=t.labels}if(!e.columnTickWidth)return;let f=a.turned?1:qi(e.columnTickWidth+2,p);for(let b=Math.ceil(r.column/f)*f;b<i.column;b+=f){let g=Ot(n,e.columnTicks[b],e.columnTickWidth),T=n.measureText(g).width/2,$=o+(b+.5)*p;$<d||!a.turned&&$+T>l.width+2||(2*T>p-2&&a.turned?(n.save(),n.translate($,m-4),n.rotate(-Math.PI/2),n.textAlign="left",n.fillText(g,0,0),n.restore()):(n.textAlign="center",n.fillText(g,$,m-e.line/2)))}}var qt,kd,vd,Td,Ed,Cd,Sd,Fi,Ld,Kt,je=w(()=>{ee();S();qt=4,kd=12,vd=17,Td=8,Ed=34,Cd=16,Sd={width:46,height:20},Fi=72,Ld=["PAD","BOS","EOS","SEP"],Kt={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]}});var Xi={};x(Xi,{Group:()=>J,headsOf:()=>le});function le({heads:n}){return Array.from({length:n?.count??1},(e,t)=>(n?.first??0)+t)}function Ad(n,e,t,o){let{rows:s,columns:r,cells:i,kind:a}=n,l=(e-(n.heads?.first??0))*i,h=(t&&n.slopes||n.values).subarray(l,l+i),d=n.hidden>1?l:0,m=o?`head ${e+1}`:"";return{tensor:n,head:e,slope:t,values:h,hidden:n.causes&&!t?n.causes.subarray(d,d+i):null,kind:t?"signed":a,whole:n.whole&&!t,title:t?`dL/d ${m||"number"}`:m||(n.slopes?"number":""),rows:s.count,columns:r.count,row:s,column:r,marked:n.marked,most:t?n.slope:n.scale,coloured:i>1}}function Ji(n,e,t,o){let s=e?pt(n,e,t):"";if(!e||!s)return[];let r=(a,l,h)=>{let d=l<0||l>=e.size;return E("",a,()=>o.go?.({[n]:l}),{ariaLabel:`${n} ${h}`,disabled:d})},i=o[n]??e.count;return[r("«",e.first-i,"back"),c("span","range",s),r("»",e.first+i,"onward")]}var J,ot=w(()=>{je();S();J=class{letter=c("span","letter",{ariaHidden:"true"});title=c("span","name");remark=c("span","note");folds=c("span","folds");flow=c("div","flow");lineEnd=c("div","line-end");head=c("div","heading wrap",this.letter,this.title,this.remark,this.folds);node=c("div","group",this.head,this.flow);tensor;pointer=null;note="";least=0;heading=0;placed="";tiles=[];grids=[];broken=0;constructor(e){e.append(this.node)}remove(){this.node.remove()}fill(e,t,o,s,r){this.tensor=e;let i=t.length>1,a=e.heads&&!i;for(this.note=e.heads&&a?`head ${t[0]+1} of ${e.heads.size}`:"",this.grids=[!1,!0].filter(l=>!l||e.slopes).flatMap(l=>t.map(h=>Ad(e,h,l,i))),this.broken=i&&e.slopes?t.length:0;this.tiles.length<this.grids.length;)this.tiles.push(Vt(this.flow));for(;this.tiles.length>this.grids.length;)this.tiles.pop()?.node.remove();this.lineEnd.remove(),this.broken&&this.tiles[this.broken].node.before(this.lineEnd),this.letter.hidden=!e.role,e.role&&([this.letter.textContent,this.letter.style.background]=e.role),this.title.textContent=e.title,this.remark.textContent=this.note,this.folds.replaceChildren(...a?[]:Ji("heads",e.heads,1,o),...Ji("columns",e.columns,0,o)),this.tiles.forEach((l,h)=>{let d=this.grids[h];l.grid=d,l.title.textContent=l.title.title=d.title,l.title.hidden=!d.title;let m=[e.title,this.note,d.title].filter(Boolean).join(", ");l.node.setAttribute("aria-label",`${Nt(m,d)} Arrow keys move, Enter locks.`)}),this.paint(s,r)}listen(e,t){let o=s=>{this.pointer=s.type==="pointerleave"?null:s,t()};e.addEventListener("pointermove",o),e.addEventListener("pointerdown",o),e.addEventListener("pointerleave",s=>s.pointerType!=="touch"&&o(s))}words(e=": "){let t=this.pointer,o="";for(let s of this.tiles){let r=t&&s.box?Ge(s,t.clientX,t.clientY):null;if(Re(s,r?[{name:"cell",rows:[r.row,r.row+1],columns:[r.column,r.column+1]}]:[]),!r)continue;let{grid:i}=s;o=`${[i.title,pe("row",i.row,r.row),pe("column",i.column,r.column)].filter(Boolean).join(", ")}${e}${xe(i,r.row*i.columns+r.column)}`}return o}paint(e,t){for(let o of this.tiles){let{head:s,slope:r}=o.grid;Jt(o,e,t&&!r?(i,a)=>t(s,i,a):null)}}}});var ta={};x(ta,{fit:()=>Yt,fitHeads:()=>Qt,layOut:()=>ms});function Yt(n,e,t,o){for(let r of n.tiles)Ae(r,o);let s=Qi;for(;s>qt&&Xt(ps(n,s,e),e).height+n.head.offsetHeight>t;)s--;for(let r of n.tiles)We(r,be(r,s,e),e,0),te(r,o)}function Qt(n,e,{width:t,height:o,most:s,across:r=1/0}){let{tiles:i}=n;for(let m of i)Ae(m,e);let a=s,l=1;for(;i.length;a--){let{tileWidth:m,tileHeight:p}=be(i[0],a,t);l=Math.min(r,i.length,Math.max(1,Math.floor((t+Gn)/(m+Gn))));let u=Math.ceil(i.length/l)*(p+Gn/2)-Gn/2;if(a<=qt||(o!==void 0?u<=o:l===Math.min(r,i.length)))break}let h=i.map(m=>be(m,a,t)),d=JSON.stringify([t,l,h]);n.node.classList.add("heads-alone"),n.flow.style.setProperty("--across",String(l)),i.forEach((m,p)=>{d!==n.placed&&We(m,h[p],t,0),te(m,e)}),n.placed=d}function ms({sides:n,arrow:e,inputs:t,outputs:o},s,r,i,a,l,h,d){for(let p of[...s,r]){for(let u of p.tiles)Ae(u,d),Pd(u,l&&u.room||{},h);p.head.style.width=p.node.style.width="max-content",p.least=p.head.offsetWidth,p.heading=p.head.offsetHeight,p.head.style.width=""}let m=Id(s,[r],i,a);n.classList.toggle("beside",m.beside),e.style.flexBasis=e.style.height=`${ds}px`;for(let[p,u,f]of[[t,s,m.inputs],[o,[r],m.outputs]]){p.style.width=`${f}px`;for(let b of u){b.node.style.width=`${Bd(b,m.cell,f)}px`;for(let g of b.tiles){let T=be(g,m.cell,f);We(g,T,f,ea(T)),te(g,d)}}}}function Pd(n,e,t){let{row:o,column:s,rows:r,columns:i}=n.grid,a=(l,h,d)=>Math.max(l,d??0,t[h.axis]?n.specialWidth:0);n.rowTickWidth=a(n.rowTickWidth,o,e.rowTickWidth),n.columnTickWidth=a(n.columnTickWidth,s,e.columnTickWidth),n.room={rows:Math.max(r,e.rows??0,t[o.axis]??0),columns:Math.max(i,e.columns??0,t[s.axis]??0),rowTickWidth:n.rowTickWidth,columnTickWidth:n.columnTickWidth}}function Id(n,e,t,o){let s=Dd(),r=s?[innerHeight-(Yi+Rd)*s]:o,i=s||1,a=(t<cs?Zi:Hd).map(y=>y*i),l=a.map(y=>[y,vt]);s&&l.unshift([innerHeight-Yi*s,ls]),t>=cs&&l.unshift(...r.map(y=>[y,s?ls:vt]));let h=[];for(let y=Math.round(Qi*i);y>=vt;y--)h.push(f(n,e,t,y),b(n,e,t,y));let d=(y,R)=>h.filter(k=>k!==null).filter(k=>k.height<=y&&k.cell>=R).sort((k,A)=>A.ease-k.ease||k.height-A.height)[0],m=y=>Math.min(ls,y.ease),p=d(1/0,vt);return l.map(y=>d(...y)).find(y=>y&&m(y)>=Od*m(p))??d(a[1],vt)??f(n,e,t,vt);function f(y,R,k,A){let B=T(y,A,k).height+T(R,A,k).height+(y.length?ds:0);return{cell:A,beside:!1,inputs:k,outputs:k,height:B,ease:g(A,[y,k],[R,k])}}function b(y,R,k,A){if(!y.length||k<cs)return null;let B=T(y,A,.45*k).width,_=k-B-ds,Dr=Math.max(T(y,A,B).height,T(R,A,_).height);return R.every(Qc=>$(Qc,A,_).width<=_)?{cell:A,beside:!0,inputs:B,outputs:_,height:Dr,ease:g(A,[y,B],[R,_])}:null}function g(y,...R){let k=R.flatMap(([A,B])=>A.map(_=>Math.min(Nd*i,be(_.tiles[0],y,B).cellWidth)));return k.reduce((A,B)=>A+B,0)/k.length}function T(y,R,k){return Xt(y.map(A=>$(A,R,k)),k)}function $(y,R,k){let A=Xt(ps(y,R,k),k);return{width:Math.max(A.width,Math.min(k,y.least)),height:A.height+y.heading}}}function Dd(){return Number(document.documentElement.style.getPropertyValue("--present-scale"))}function Bd(n,e,t){let o=ps(n,e,t),{width:s,height:r}=Xt(o,t),i=Math.max(...o.map(l=>l.width)),a=s;for(;a-jn>=i&&Xt(o,a-jn).height===r;)a-=jn;return Math.min(t,Math.max(a,n.least))}function ea(n){return n.height>Math.max(...Zi)||n.height>hs+240?hs:0}function ps(n,e,t){return n.tiles.map((o,s)=>{let r=be(o,e,t),i=ea(r)?r.height-hs:0;return{width:r.tileWidth,height:r.tileHeight-i,starts:n.broken>0&&s===n.broken}})}function Xt(n,e){let[t,o,s,r]=[0,0,0,0];for(let i of n)t&&(i.starts||t+i.width>e)&&(r+=o+zd,t=o=0),t+=i.width,s=Math.max(s,t),o=Math.max(o,i.height),t+=jn;return{width:s,height:r+o}}var Qi,vt,Yi,Rd,ls,Od,Nd,Hd,Zi,cs,hs,Gn,jn,zd,ds,st=w(()=>{je();Qi=44,vt=8,Yi=236,Rd=90,ls=14,Od=.75,Nd=28,Hd=[600,800],Zi=[800,1200],cs=600,hs=560,Gn=16,jn=20,zd=12,ds=36});var na={};x(na,{default:()=>Gd});var Wd,Gd,us,oa=w(()=>{I();kt();Ui();jt();ee();ot();st();O();S();Wd=30,Gd=C([M,ge,_i],n=>new us(n),(n,{data:e})=>{n.dress(),n.ask(e)}),us=class{root;theme;plot=c("div","plot");readout=c("div","readout"," ",{role:"status"});box=c("div","box",this.plot,this.readout);group=new J(this.plot);observer=new ResizeObserver(()=>this.layout());shown=null;asked=null;constructor(e){this.root=e,this.theme=z(e),e.append(this.box),this.group.listen(this.plot,()=>this.shown&&v(this.readout,this.group.words()||" ")),this.observer.observe(this.box)}close(){this.observer.disconnect(),this.asked="",this.box.remove()}dress(){this.theme=z(this.root),this.shown&&this.group.paint(this.theme,null),this.layout()}async ask({name:e,stamp:t,input:o}){let s=JSON.stringify([e,t,o]);if(s===this.asked)return;this.asked=s;let{tensor:r,problem:i,later:a}=await Ye(e,{stamp:t,input:o},()=>this.asked===s);this.asked===s&&(a&&(this.asked=null),this.plot.hidden=!r,this.shown=r,this.readout.textContent=r?" ":i||"Server not responding. Change the input to try again.",r&&(this.group.fill(r,le(r),{},this.theme,null),this.layout()))}layout(){let e=this.box.clientWidth;!e||!this.shown||Qt(this.group,this.theme,{width:e,most:Math.round(Wd*this.theme.scale),across:e<420?2:4})}}});var U,Oe=w(()=>{U=`/* In force before anything is drawn, so that nothing moves when it arrives. */
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
.tests-table td, .tests-table th { white-space: nowrap; }
.tests-table :is(td, th):first-child { position: sticky; left: 0; background: light-dark(#fff, #0f1219); }
:is(.st-key-check-code, .st-key-tests-code) textarea { font-family: var(--st-code-font, monospace); font-size: .875rem; }
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
  .tests-table .examples td:first-child { min-width: 9rem; white-space: normal; }
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
[data-slide=own] { --outline-height: calc(100dvh - 7rem); --outline-top: 0; }
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
/* The title and the switch in one column, no higher than the fields beside it. */
.st-key-reads .st-key-head { gap: .1rem .5rem !important; }
.st-key-reads .st-key-head h1 { font-size: 1.5rem; padding: 0; }
.st-key-reads .st-key-head .stButtonGroup > div { flex-wrap: wrap; row-gap: .2rem; }
.st-key-reads .st-key-head .stButtonGroup button { min-height: 1.6rem; padding: 0 .25rem; }
.st-key-reads .st-key-head .stButtonGroup button p { font-size: .8rem; }
@media (min-width: 641px) and (max-width: 1000px) {
  .st-key-reads .stHorizontalBlock:has(.st-key-head) { flex-wrap: wrap; row-gap: .4rem; }
  .st-key-reads .stColumn:has(.st-key-head) { min-width: 100%; }
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
`});var ra,sa=w(()=>{ra=`/* One row for each sublayer, its heads as buttons. */
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
`});var ia={};x(ia,{default:()=>_d});var _d,fs,aa=w(()=>{Oe();I();sa();Te();O();S();_d=C([U,M,ra],n=>new fs(n),(n,{data:e,setStateValue:t})=>{n.acts.adopt(e,o=>t("acts",o)),n.show(e)}),fs=class{box;acts=new W;buttons=new Map;structure="";adds="";constructor(e){this.box=e.querySelector(".switches")}close(){this.acts.release(),this.box.replaceChildren(),this.structure=""}show({rows:e,adds:t}){this.adds=t;let o=JSON.stringify(e.map(({label:r,parts:i})=>[r,i.map(({site:a})=>a)]));o!==this.structure&&this.build(e),this.structure=o;let s=new Set(this.acts.pending.map(([,,r])=>r));for(let r of e.flatMap(({parts:i})=>i))s.has(r.site)||this.mark(r.site,r.mark)}build(e){this.buttons.clear();let t=e.map(({label:s,parts:r})=>{let i=c("th","small",s,{scope:"row"}),a=r.map(l=>{let h={ariaLabel:l.words,title:l.words},d=E("part",c("span","",l.label),()=>this.press(l.site),h);return this.buttons.set(l.site,d),d});return c("tr","",i,c("td","",...a))}),o=c("table","",c("caption","unseen","Parts of the model"),c("tbody","",...t));this.box.replaceChildren(o)}press(e){let t=this.buttons.get(e)?.getAttribute("aria-pressed")==="true";this.mark(e,t?"":this.adds),this.acts.add("switch",e)}mark(e,t){let o=this.buttons.get(e);o.ariaPressed=`${t!==""}`,o.setAttribute("aria-description",t),o.dataset.mark=t}}});var ca,la=w(()=>{ca=`/* Kept prefixes are filled, dropped ones dashed, and the path to the answer is thick. */
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
`});var da={};x(da,{default:()=>Vd});function Tt(n,e){return[ha+n*qd,bs+e*Kd]}function Jd(n,e,{parent:t,kind:o}){let[s,r]=n?Tt(n-1,t):[ha-Un-16,bs],[i,a]=Tt(n,e),l=s+Un,[h,d,m]=[r+Et/2,a+Et/2,(l+i)/2];return P("path",{class:`line ${o}`,d:`M${l} ${h}C${m} ${h} ${m} ${d} ${i} ${d}`})}function Xd(n,e,{kind:t,label:o,sum:s,description:r}){let[i,a]=Tt(n,e),l=a+Et/2+4;return P("g",{class:`leaf ${t}`},P("title",{},r),P("rect",{x:i,y:a,width:Un,height:Et,rx:6}),P("text",{class:"token",x:i+7,y:l},X(o)),P("text",{class:"sum",x:i+Un-6,y:l},s))}var qd,Kd,Un,Et,ha,bs,Vd,gs,ma=w(()=>{I();la();O();S();qd=112,Kd=32,Un=92,Et=26,ha=56,bs=26,Vd=C([M,ca],n=>new gs(n),(n,{data:e})=>n.show(e));gs=class{box;constructor(e){this.box=e.querySelector(".beam-tree"),Object.assign(this.box,{tabIndex:0,role:"region",ariaLabel:"Tree of beam search"})}close(){this.box.replaceChildren()}show({columns:e,description:t}){let o=Math.max(...e.map(({nodes:h,more:d})=>h.length+(d?1:0))),[s,r]=Tt(e.length,o),i=P("svg",{role:"img","aria-label":t,width:s,height:r,viewBox:`0 0 ${s} ${r}`}),a=P("g",{});i.append(a,P("text",{class:"head",x:4,y:bs+Et/2+4},"start")),e.forEach(({nodes:h,more:d},m)=>{i.append(P("text",{class:"head",x:Tt(m,0)[0],y:16},`Round ${m+1}`)),h.forEach((f,b)=>{a.append(Jd(m,b,f)),i.append(Xd(m,b,f))});let[p,u]=Tt(m,h.length);d&&i.append(P("text",{class:"head",x:p,y:u+Et/2+4},`${d} more dropped`))});let l=this.box.scrollLeft;this.box.replaceChildren(c("div","inside",i)),this.box.scrollLeft=l}}});var ua,pa=w(()=>{ua=`/* An answer, and below it a row for each token of the vocabulary. */
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
`});var ga={};x(ga,{default:()=>em});var Qd,fa,Zd,Zt,em,ws,ba=w(()=>{Oe();I();pa();Te();V();O();S();Qd=900,fa="Play tokens",Zd={ArrowRight:"next",ArrowLeft:"undo",p:"play",End:"finish",Home:"restart"},Zt=null;document.addEventListener("keydown",n=>{if(!Zt?.root.isConnected||!F(n))return;let e=Zd[ve(n)];e&&(n.preventDefault(),(!n.repeat||e==="next"||e==="undo")&&Zt.act(e))});em=C([U,M,ua],n=>new ws(n),(n,{data:e,setStateValue:t})=>{Zt=n,n.show(e),n.acts.adopt(e,o=>t("acts",o))}),ws=class{root;undo=this.tool("Undo","undo","ArrowLeft");next=this.tool("Next token","next","ArrowRight");play=this.tool(fa,"play","P");finish=this.tool("Finish","finish","End");restart=this.tool("Start over","restart","Home");tools=c("div","tools wrap",this.undo,this.next,this.play,this.finish,this.restart);answer=c("ol","answer wrap",{ariaLabel:"Answer so far"});announcement=c("div","announcement",{role:"status"});heads=c("div","bar heads small soft",{ariaHidden:"true"});bars=c("ol","bars",{ariaLabel:"Probabilities of the token"});more=c("div","small soft");cost=c("div","small soft");parts=[this.answer,this.tools,this.announcement,this.heads,this.bars,this.more,this.cost];acts=new W;data;timer=0;playing=!1;constructor(e){this.root=e,e.querySelector(".generation")?.append(...this.parts)}tool(e,t,o){return E("small-button",e,()=>this.act(t),{ariaKeyShortcuts:o})}close(){this.pause(),this.acts.release();for(let e of this.parts)e.remove();Zt===this&&(Zt=null)}act(e){if(e==="play")return this.playing?this.pause():this.begin();this.pause(),!((e==="next"||e==="finish")&&this.data.complete)&&((e==="undo"||e==="restart")&&!this.data.answer.length||(e==="restart"?this.acts.add("back","",0):this.acts.add(e)))}begin(){this.data.complete&&this.acts.add("back","",0),this.playing=!0,v(this.play,"Pause tokens"),this.tick()}pause(){clearTimeout(this.timer),this.playing=!1,v(this.play,fa)}tick(){clearTimeout(this.timer),this.timer=setTimeout(()=>{if(!this.root.isConnected)return this.pause();if(this.acts.pending.length)return this.tick();if(this.data.complete)return this.pause();this.acts.add("next"),this.tick()},Qd)}show(e){this.data=e;let{answer:t,complete:o,ended:s,position:r,sampled:i}=e;this.undo.disabled=this.restart.disabled=!t.length,this.next.disabled=this.finish.disabled=o;let a=Math.max(...e.bars.map(({probability:g,drawn:T})=>Math.max(g,i?T:0))),l=t.map((g,T)=>this.token(g,T));ye(this.answer,l.length?l:[c("li","soft","No tokens yet")]);let h=e.bars.find(({id:g})=>g===e.chosen),d=i?`sampling probability ${H(h?.drawn??0)}`:H(h?.probability??0),m=`token ${r+1}, “${X(h?.label??"")}” (${d})`;v(this.announcement,s?`The answer is complete: ${m} ends it.`:o?`The answer has the largest length. The last is ${m}.`:`Next: ${m}. Click another token to use it instead.`);let p=["token","probability","",...i?["sampling probability",""]:[]].map(g=>c("span","",g));this.heads.replaceChildren(...p),this.heads.classList.toggle("sampled",i),this.bars.replaceChildren(...e.bars.map(g=>this.bar(g,a||1))),v(this.more,e.more?`${e.more} more tokens have ${H(e.rest)} together.`:"");let[u=0,f=0]=e.multiplications,b=f>u?`, ${(f/u).toFixed(1)} times as many`:"";v(this.cost,`To predict all tokens up to the next one, decoder and output layer need ${u.toLocaleString("en")} multiplications with a KV cache, which stores keys and values. Without it they need ${f.toLocaleString("en")}${b}.`)}token({label:e,forced:t,probability:o},s){let r=c("span","",X(e)),i=`${X(e)}, token ${s+1}, ${H(o)}${t?", forced":""}`,a=E(`tok${t?" forced":""}`,r,()=>{this.pause(),this.acts.add("back","",s)},{ariaLabel:`${i}. Remove it and all later tokens`,title:`${i}. Click to remove it and all later tokens.`});return c("li","",a,c("span","small soft",t?"forced":H(o)))}bar({id:e,label:t,probability:o,drawn:s,cut:r},i){let{chosen:a,position:l,sampled:h}=this.data,d=(b,g)=>{let T=c("span",`track ${g}`);return T.style.setProperty("--high",`${100*b/i}%`),T},m=b=>c("span","unseen",b),p=[m("Force "),c("span","tok",X(t)),d(o,r&&"cut")];p.push(m(": probability "),c("span","",H(o))),h&&(p.push(d(s,"drawn"),m(r?", ":", sampling probability ")),p.push(c("span",r?"soft":"",r?`cut by ${r}`:H(s))));let u=c("span",`bar${h?" sampled":""}`,...p),f=E("choice",u,()=>{this.pause(),this.acts.add("force","",[l,e])},{ariaCurrent:e===a?"true":null});return c("li","",f)}}});var ya,wa=w(()=>{ya=`/* Formula, statement and tensor side by side; below each other where it is narrow. */
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
`});var _n,ys=w(()=>{_n=`.picture {
  border: 1px solid var(--st-border-color);
  image-rendering: pixelated;
  margin-top: 0.3rem;
}
`});var xa={};x(xa,{picture:()=>Ct});function Ct(n,e,{head:t=0,long:o=om,most:s=0,label:r=""}={}){let{rows:{count:i},columns:{count:a},cells:l,values:h,kind:d}=n,m=Array.from(h).reduce((g,T)=>Number.isFinite(T)?Math.max(g,Math.abs(T)):g,0),p={kind:d==="tokens"?"signed":d,coloured:!0,most:s||m||1},u=h.subarray(t*l,(t+1)*l),f=et(c("canvas","picture"),Ze({...p,rows:i,columns:a,values:u},e)),b=Math.min(sm,o/Math.max(i,a));return f.style.width=`${a*b}px`,f.style.height=`${Math.max(3,i*b)}px`,Object.assign(f,r?{role:"img",ariaLabel:r}:{ariaHidden:"true"})}var om,sm,Fn=w(()=>{ee();S();om=180,sm=10});var ka={};x(ka,{default:()=>rm,head:()=>im,symbols:()=>am});function im({data:n,parentElement:e}){Pe(e,ks);let{tensors:t,names:o}=j(n),s=z(e);e.querySelector(".one-head").replaceChildren(...t.map((i,a)=>c("figure","",c("figcaption","",en("name",o[a]),` (${i.rows.size}, ${i.columns.size})`),Ct(i,s))))}function am({data:n,parentElement:e}){Pe(e,ks),e.querySelector(".symbols").replaceChildren(en("",n.table))}function en(n,e){let t=c("div",n);return t.innerHTML=e,t}var ks,rm,xs,va=w(()=>{Oe();I();wa();ys();ee();Me();O();Q();S();Fn();ks=[U,M,_n,ya],rm=C(ks,n=>new xs(n),(n,{data:e,setTriggerValue:t})=>{n.open=o=>t("open",o),n.show(j(e))});xs=class{root;list;sizes=new ResizeObserver(()=>this.reach());open=()=>{};constructor(e){this.root=e,this.list=e.querySelector(".formula-rows"),this.sizes.observe(this.list)}reach(){this.list.querySelectorAll(".formula").forEach((e,t)=>{let o=e.scrollWidth>e.clientWidth,s={tabindex:"0",role:"region","aria-label":`Formula ${t+1}`};for(let[r,i]of Object.entries(s))o?e.setAttribute(r,i):e.removeAttribute(r)})}close(){this.sizes.disconnect(),this.list.replaceChildren()}show({tensors:e,rows:t}){let o=z(this.root);this.list.replaceChildren(...t.map((s,r)=>{let i=E("open",s.title,()=>this.open(s.name),{title:"Open in Step through"}),a=s.repeated>1?c("span","soft",`, ${s.repeated} times`):null,l=c("div","where small soft",`${s.owner} · ${s.file}`);return c("article","row",c("div","what",c("h2","",i,a),en("formula",s.formula),c("div","small soft",s.source)),c("div","code",en("statement",s.statement),l),c("div","tensor",en("size small",s.shape),Ct(e[r],o)))})),this.reach()}}});var St,qn=w(()=>{St=`.matrix {
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
`});var Ea,Ta=w(()=>{Ea=`input {
  appearance: textfield;
  min-height: 0;
  padding: 0.15rem 0.25rem;
  width: clamp(2.9rem, 13vw, 3.3rem);
}
td {
  padding: 0 !important;
}
`});var Ca={};x(Ca,{matrix:()=>rt});function rt(n,e,{rows:t,columns:o,caption:s="",corner:r=""}){let i=(d,m)=>c("th","small",d,{scope:m}),a=o&&c("tr","",t&&c(r?"th":"td","small",r),...o.map(d=>i(d,"col"))),l=e.map((d,m)=>c("tr","",t&&i(t[m],"row"),...d)),h=c("table","",s&&c("caption","small",s),a&&c("thead","",a),c("tbody","",...l));return ct("matrix",n,h)}var tn=w(()=>{S()});var Sa={};x(Sa,{default:()=>hm});var hm,vs,La=w(()=>{Oe();I();qn();Ta();O();S();tn();hm=C([U,M,St,Ea],n=>new vs(n),(n,{data:e,setStateValue:t})=>{n.tell=o=>t("cells",o),n.show(e)}),vs=class{box;shown="";fields=[];tell=()=>{};constructor(e){this.box=e.querySelector(".grid")}close(){this.box.replaceChildren()}show(e){let t=JSON.stringify(e);if(this.shown===t)return;this.shown=t,this.fields=e.values.map((s,r)=>s.map((i,a)=>this.field(e,i,r,a)));let o=this.fields.map(s=>s.map(r=>c("td","",r)));this.box.replaceChildren(rt(e.label,o,{rows:e.rows,caption:e.label}))}field({label:e,rows:t,bound:o},s,r,i){let a=`${e}, ${t[r]}, number ${i+1}`,l={step:"0.1",min:`${-o}`,max:`${o}`,value:`${Number(s.toFixed(4))}`},h=c("input","",{type:"number",...l,ariaLabel:a});return h.addEventListener("change",()=>{let d=Math.min(Math.max(Number(h.value)||0,-o),o);h.value=`${d}`,this.tell(this.fields.map(m=>m.map(p=>Number(p.value))))}),h}}});var ja={};x(ja,{Fields:()=>_e,Live:()=>ce,listen:()=>Vn});function Vn(n,e){let t=Ue.get(n);t||Ue.set(n,t={version:0,listeners:new Set,whole:null});let{listeners:o,whole:s}=t;return s?e(s):[t.version,Es]=[0,!0],o.add(e),Kn(Ma),()=>{o.delete(e),Kn(Ma)}}function Kn(n){clearTimeout(we.open),we.open=setTimeout(Ha,n)}function Ha(){for(let[e,{listeners:t}]of Ue)t.size||Ue.delete(e);let n=[...Ue.keys()].sort().join(`
`);nn&&n===Ts&&!Es||(Jn(),[Ts,Es]=[n,!1],!(!Ue.size||document.hidden&&Cs)&&(nn=performance.now()<Ls?km():ym()))}function Jn(){nn?.(),nn=null,clearTimeout(we.watch)}function Ms(){Jn(),Ha()}function za(){Jn(),Kn(Ba())}function ym(){let n=new EventSource(Wa());return Da(Ra,()=>Ia("")),n.onmessage=({data:e})=>{Aa(),Ga(e)},n.addEventListener("beat",Aa),n.onerror=()=>{if(n.readyState!==EventSource.CLOSED)return za();clearTimeout(we.watch),nn=xm()},()=>n.close()}function xm(){let n=new AbortController;return Pa("",n.signal).then(e=>{n.signal.aborted||(e?.status===429?Ia(e.text):za())}),()=>n.abort()}function km(){let n=new AbortController,e=0,t=async()=>{let o=await Pa("&once=1",n.signal);if(n.signal.aborted)return;let s=o?.status===200;if(s){Ss=0;for(let r of o.text.split(`
`))r.startsWith("data: ")&&Ga(r.slice(6))}if(performance.now()>=Ls)return Ms();e=setTimeout(t,s?Na?pm:mm:Ba())};return t(),()=>{n.abort(),clearTimeout(e)}}async function Pa(n,e){try{let t=await fetch(Wa(n),{signal:AbortSignal.any([e,AbortSignal.timeout(Ra)])});return{status:t.status,text:await t.text()}}catch{return null}}function Ia(n){Ls=performance.now()+fm*2**Math.min(Oa++,gm),Na=!!n,$s(n),Ms()}function Aa(){Ss=Oa=0,$s(""),Da(dm,Ms)}function $s(n){clearTimeout(we.notice),v(wm,n),n&&(we.notice=setTimeout($s,um,""))}function Da(n,e){clearTimeout(we.watch),we.watch=setTimeout(e,n)}function Ba(){return $a[Math.min(Ss++,$a.length-1)]*(1+Math.random()/2)}function Wa(n=""){let e=new URLSearchParams([...Ue].map(([t,{version:o}])=>["c",`${t}@${o}`]));return new URL(`./live?${e}${n}`,document.baseURI)}function Ga(n){let e=JSON.parse(n),t=Ue.get(e.channel);if(t){if(e.version?t.version=e.version:e.gone&&([t.version,t.whole]=[1,null]),e.fields){let o=e.whole?{}:t.whole?.fields;t.whole={...e,whole:!0,fields:{...o,...e.fields}}}for(let o of[...t.listeners])try{o(e)}catch(s){console.error(s)}}}var Ma,dm,Ra,mm,pm,um,fm,gm,bm,$a,Ue,nn,Ts,Es,Ss,Oa,Ls,Na,we,Cs,wm,_e,ce,Ne=w(()=>{S();Ma=30,dm=12e4,Ra=5e3,mm=1e3,pm=3e3,um=8e3,fm=6e4,gm=6,bm=5e3,$a=[500,1e3,2e3,4e3,8e3],Ue=new Map,nn=null,Ts="",Es=!1,Ss=0,Oa=0,Ls=0,Na=!1,we={open:0,watch:0,hide:0,notice:0},Cs=!1,wm=dt();document.addEventListener("visibilitychange",()=>{if(clearTimeout(we.hide),Cs=!1,!document.hidden)return Kn(0);we.hide=setTimeout(()=>{Cs=!0,Jn(),Ts=""},bm)});_e=class{close;values={};at=0;gone=!1;constructor(e,t){let o=!1;this.close=Vn(e,s=>{this.gone=!!s.gone,s.gone||(this.values=s.whole?s.fields:{...this.values,...s.fields},this.at=s.at),o&&t()}),o=!0}},ce=class{changed;channel="";at=0;now={};fields=null;constructor(e){this.changed=e}show({channel:e,at:t,now:o}){e!==this.channel&&(this.close(),this.fields=e?new _e(e,this.changed):null),Object.assign(this,{channel:e,at:t,now:o})}get isNewer(){return this.fields!==null&&this.fields.at>this.at}get values(){return this.fields&&this.isNewer?this.fields.values:this.now}close(){this.fields?.close()}}});var _a={};x(_a,{Store:()=>on,after:()=>Fe,nearest:()=>he,smoothed:()=>Os,storeOf:()=>As,storeOfCheckpoint:()=>Rs});function As(n,e){let t=Ua.get(n);return t||Ua.set(n,t=new on),t.users.size||(t.unlisten=Vn(`curves/${n}`,o=>t.take(o))),t.users.add(e),t}function Rs(n,e){let t=new on;return t.users.add(e),t.fetch(new URL(`./library/${encodeURIComponent(n)}/curves`,document.baseURI)),t}function Fe(n,e){let t=0,o=n.length;for(;t<o;){let s=t+o>>1;n[s]<=e?t=s+1:o=s}return t}function he(n,e){if(e===null||!n.length)return n.length-1;let t=Fe(n,e);return t===0?0:t===n.length?t-1:n[t]-e<e-n[t-1]?t:t-1}function Os({steps:n,values:e},t){if(!t)return e;let o=0,s=0,r=n[0];return e.map((i,a)=>{let l=Math.exp((r-n[a])/t);return r=n[a],o=o*l+i,s=s*l+1,o/s})}var vm,Tm,Em,Ua,on,Lt=w(()=>{Ie();Ne();vm=1e4,Tm="This run no longer exists.",Em="Server not responding. Retrying ...",Ua=new Map;on=class{version=0;tables={};more={};problem="";users=new Set;unlisten=null;#e=new Map;leave(e){this.users.delete(e),this.users.size||this.unlisten?.()}async fetch(e){try{let t=await ae(e,vm);if(t.ok)return this.take(await t.json());this.problem=await t.text()}catch{this.problem=Em}for(let t of this.users)t()}take({channel:e,version:t,gone:o,tables:s={},...r}){this.problem=o?Tm:"",this.version=t;for(let[i,{all:a,gone:l,rows:h}]of Object.entries(s)){let d=a?[]:this.tables[i]??[],m=new Set(l);this.tables[i]=[...m.size?d.filter((p,u)=>!m.has(u)):d,...h]}this.more={...this.more,...r},this.#e.clear();for(let i of this.users)i()}rows(e,t){let o=this.tables[e]??[],s=t??1/0;return(o.at(-1)?.[0]??0)<=s?o:o.filter(([r])=>r<=s)}column(e,t,o,s={}){let r=`${e} ${t}`,i=this.#e.get(r);if(!i){let h=(this.tables[e]??[]).filter(m=>m[t]!==null&&m[t]!==void 0),d=Object.entries({steps:0,values:t,...s});i=Object.fromEntries(d.map(([m,p])=>[m,h.map(u=>u[p])])),this.#e.set(r,i)}let a=o??1/0;if((i.steps.at(-1)??0)<=a)return i;let l=Fe(i.steps,a);return Object.fromEntries(Object.entries(i).map(([h,d])=>[h,d.slice(0,l)]))}}});var qa={};x(qa,{chartTheme:()=>Ns,colourOf:()=>it,config:()=>Hs,dashOf:()=>sn});function Ns(n,e){let t=z(n),o=document.documentElement.hasAttribute("data-present")?1.25:1,s=t.scale*o,r=t.background[0]+t.background[1]+t.background[2]<384;return{...t,scale:s,dark:r,fontSize:11*s,colours:e[r?"dark":"light"],room:{left:Math.round(42*s),right:Math.round(10*s),top:Math.round(7*s),bottom:Math.round(20*s)},right:r?{fill:"#2a9d95",ink:"#06201e"}:{fill:"#0b7f7a",ink:"#fff"},wrong:r?{fill:"#43262a",ink:"#ff9d94"}:{fill:"#fbe3e0",ink:"#b3261e"}}}function it(n,e){return n.colours[e%n.colours.length]}function sn(n){return Fa[n%Fa.length]}function Hs(n){let{labels:e,ink:t,fontSize:o,family:s,scale:r}=n,i=q(De(n.background,[128,128,128],.28)),a=q(De(n.background,[128,128,128],.6));return{autosize:{type:"none"},padding:n.room,background:null,font:s,view:{stroke:null},axis:{labelColor:e,labelFontSize:o,labelPadding:4*r,labelLimit:n.room.left-6,tickColor:a,tickSize:4*r,domainColor:a,gridColor:i},axisX:{labelFlush:!0,labelLimit:80*r},text:{color:t,fontSize:o,font:s},rule:{color:t},range:{heatmap:n.probability.map(q),ramp:n.probability.map(q)}}}var Fa,Xn=w(()=>{ee();Fa=[[1,0],[6,3],[2,2],[9,3,2,3],[12,4],[4,2,1,2],[1,3],[14,3,4,3]]});var Za={};x(Za,{Chart:()=>Mt,Panel:()=>qe,figure:()=>Qa,ownStyle:()=>Ps});function $m(n){let e=Ja.then(n);return Ja=e.then(()=>new Promise(t=>setTimeout(t,Cm)),()=>{}),e}function Qa(n){if(n===0)return"0";let e=Math.abs(n);return e<1e-4||e>=1e5?n.toExponential(2):e>=100?n.toFixed(1):String(Number(n.toPrecision(4)))}function Am({low:n,high:e},t){let[o,s]=[n?.[t],e?.[t]];return typeof o=="number"&&typeof s=="number"?[o,s].map(r=>H(r).replace(" %","")).join("-"):""}function zs(n){return n?`n = ${n.toLocaleString("en-US")}`:""}function Xa(n){return n.reduce((e,{steps:t})=>t.length>e.length?t:e,[])}function Rm({name:n,colour:e,dash:t}){let o=c("span","item");o.innerHTML='<svg viewBox="0 0 18 8" aria-hidden="true"><path d="M0 4h18"/></svg>';let s=o.querySelector("path");s&&Object.assign(s.style,{stroke:e,strokeDasharray:t.join(" ")});let r=c("b"),i=c("small"),a=c("span");return n&&o.append(c("span","name cut",n,{title:n})),i.append(a),o.append(r,i),{node:o,value:r,apart:a}}function Ps(n,e){return{colour:it(n,e),dash:e?[[1,0],[6,3],[2,2],[9,3,2,3]][e%4]:[1,0]}}var Cm,Ka,Sm,Lm,Va,Ya,Mm,Ja,qe,Mt,rn=w(()=>{Lt();Xn();V();S();Cm=16,Ka=4,Sm=40,Lm=6,Va=12,Ya="Held-out inputs tested",Mm=13,Ja=Promise.resolve();qe=class{board;panel;node;title;tested=c("span","tested soft",{title:Ya});step=c("span","step soft");legend=c("div","legend cut");plot=c("div","plot");constructor(e,t){this.board=e,this.panel=t;let o=t.kind==="lines"&&t.measures.some(([s])=>e.library?.measures[s].grouped);this.node=c("section",`panel ${t.name}${t.share?" share":""}${o?" grouped":""}`),this.node.dataset.kind=t.kind,this.node.style.setProperty("--width",String(t.width)),this.node.dataset.panel=t.name,this.node.setAttribute("aria-label",t.title),this.title=c("h2","cut",t.title,{title:t.help??""}),this.node.append(c("header","",this.title,this.tested,this.step),this.legend,this.plot)}},Mt=class extends qe{picture=c("div","picture");rule=c("div","rule");chip=c("div","chip");brush=c("div","brush");dots=c("div","dots");empty=c("div","empty","Appears after the next evaluation.");series=[];items=[];named="";cells=null;vega=null;key="";room=0;width=0;height=0;logged=!1;pointed;finalize;constructor(e,t){super(e,t),this.plot.append(this.picture,this.brush,this.rule,this.dots,this.chip,this.empty),Object.assign(this.plot,{tabIndex:0,role:"slider",ariaLabel:`${t.title}, by step`}),this.listen()}close(){this.key="closed",this.finalize?.(),this.node.remove()}setLines(e){this.series=e;let t=e.map(({key:o,name:s,colour:r,dash:i})=>[o,s,r,i]);JSON.stringify(t)!==this.named&&(this.named=JSON.stringify(t),this.items=e.map(Rm),this.legend.replaceChildren(...this.items.map(o=>o.node)),this.dots.replaceChildren(...e.map(({colour:o})=>{let s=c("i");return s.style.background=o,s})))}setCells(e){this.cells=e}get steps(){return this.cells?.steps??Xa(this.series.filter(({beside:e})=>!e))}get reach(){return this.cells?.steps??Xa(this.series)}get margins(){let{room:e,scale:t}=this.board.theme;return{...e,top:e.top+(this.panel.kind==="lines"?this.board.lanes*Va*t:0)}}measure(){let{left:e,right:t,top:o,bottom:s}=this.margins;this.room=this.plot.clientWidth,this.width=Math.max(10,this.room-e-t),this.height=Math.max(10,this.plot.clientHeight-o-s)}draw(){let{board:e}=this;if(this.empty.hidden=this.steps.length>0,!this.room||(this.prepare(),!this.vega))return;let{first:t,last:o}=e.axis,s=this.cells?this.cellRows(this.cells,t,o):this.lineRows(t,o);this.vega.padding(this.margins).width(this.width).height(this.height).signal("first",t).signal("last",o).data("rows",s).data("changes",e.changes()).run(),this.point(e.step)}async prepare(){let{board:e,panel:t}=this,{theme:o,library:s}=e;if(!s)return;let r=!!(t.log&&e.look.log),i=JSON.stringify([e.themeKey,r,this.named??""]);if(i===this.key)return;this.key=i;let a=t.kind==="lines"&&t.share?"shares":t.kind,l={width:100,height:100,...structuredClone(s.specs[a])};if(t.kind==="lines"&&this.dressLines(l,r),t.kind==="predictions"){let{right:p,wrong:u}=o,f={rightFill:p.fill,rightInk:p.ink,wrongFill:u.fill,wrongInk:u.ink};for(let b of l.params)b.value=f[b.name]??b.value}let h=c("div","sheet"),d={mode:"vega-lite",config:Hs(o),renderer:"canvas",actions:!1,tooltip:!1},m=await $m(async()=>i===this.key?s.embed(h,l,{...d,ast:!0,defaultStyle:!1,logLevel:1}):null);if(i!==this.key||!m)return m?.finalize();this.finalize?.(),this.finalize=()=>m.finalize(),this.vega=m.view,this.logged=r,this.picture.replaceChildren(h),this.measure(),this.draw()}dressLines(e,t){let o=this.series.map(({key:i})=>i),s=this.series.map(({colour:i})=>i),r=this.series.map(({dash:i})=>i);for(let{encoding:i}of e.layer)i?.color&&(i.color.scale={domain:o,range:s},i.strokeDash&&(i.strokeDash.scale={domain:o,range:r}),t&&(i.y.scale={type:"log"},i.y.axis={...i.y.axis,labelOverlap:!0}))}lineRows(e,t){let o=this.panel.noisy?this.board.look.smoothing:0,s=this.logged,r=[],i=0,a=[...this.series].sort((l,h)=>Number(h.beside??!1)-Number(l.beside??!1));for(let l of a){let h=Os(l,o),d=Math.max(0,Fe(l.steps,e-1e-9)-1),m=Math.min(l.steps.length,Fe(l.steps,t)+1);i=Math.max(i,m-d);for(let p=d;p<m;p++)s&&!(l.values[p]>0)||r.push({step:l.steps[p],value:l.values[p],smooth:h[p],low:l.low?.[p],high:l.high?.[p],series:l.key})}return this.vega.signal("rawOpacity",o?.28:1).signal("rawWidth",(o?1:2)*this.board.theme.scale).signal("smoothWidth",2*this.board.theme.scale).signal("lineHeight",Va*this.board.theme.scale).signal("lanes",this.board.lanes).signal("smoothOpacity",o?1:0).signal("pointSize",!o&&i<=Sm?18*this.board.theme.scale:0),r}cellRows({steps:e,rows:t,names:o,cell:s},r,i){let a=Math.max(0,Fe(e,r)-1),l=Fe(e,i),h=Math.max(1,Math.ceil((l-a)*Lm/this.width)),d=[];for(let u=l-1;u>=a;u-=h)d.unshift(u);d.length&&d[0]!==a&&d.unshift(a);let m=[],p=1/0;return d.forEach((u,f)=>{let[b,g]=[f-1,f+1].map(y=>(e[u]+e[d[y]])/2),T=f?b:e[u],$=f+1<d.length?g:Math.max(this.board.newest,f?e[u]:e[u]+1);p=Math.min(p,($-T)/(i-r)*this.width);for(let y=0;y<o.length;y++){let R=s(t[u],y);R&&m.push({step:T,until:$,position:y,...R})}}),this.panel.kind==="predictions"&&this.vega.signal("roomy",p>=Mm*this.board.theme.scale&&this.height/o.length>this.board.theme.fontSize),this.vega.signal("names",o.map(X)),m}toSVG(){return this.vega.toSVG()}x(e){let{first:t,last:o}=this.board.axis;return this.board.theme.room.left+(e-t)/(o-t)*this.width}point(e){let{board:t}=this;if(!this.room)return;let{first:o,last:s}=t.axis,r=this.steps,i=he(r,e),a=i<0?null:r[i];this.step.textContent=a===null?"":`step ${a.toLocaleString("en-US")}`;let l=e!==null&&e>=o&&e<=s;if(this.rule.hidden=this.chip.hidden=!l,l){let m=this.x(e),{top:p,bottom:u}=this.margins;this.rule.style.cssText=`left:${m}px;top:${p}px;bottom:${u}px`,this.chip.textContent=e.toLocaleString("en-US"),this.chip.style.left=`${Math.min(Math.max(m,16),this.room-16)}px`}let h=this.cells?this.tellCells(this.cells,i):this.tellLines(e,a,l),d=a===null?"nothing measured yet":`step ${a}: ${h}`;Object.assign(this.plot,{ariaValueMin:r[0]??0,ariaValueMax:r.at(-1)??0,ariaValueNow:a??0,ariaValueText:d})}tellLines(e,t,o){let s=this.panel.share?H:Qa,r=o&&this.vega?this.vega.scale("y"):null,{first:i,last:a}=this.board.axis,l=this.dots.querySelectorAll("i"),h=this.series[0]?.tested?.[he(this.series[0].steps,e)];return v(this.tested,zs(h)),[...this.series.map((m,p)=>{let u=he(m.steps,m.beside?e??t:e),f=this.items[p],b=u<0?"–":s(m.values[u]);v(f.value,b);let g=u>=0&&m.steps[u]!==t?`at ${m.steps[u].toLocaleString("en-US")}`:"",T=m.tested?.[u]===h?"":zs(m.tested?.[u]),$=Am(m,u),y=[g,$,T].filter(Boolean).join(", ");v(f.apart,y),f.apart.title=$?`95 % interval ${$} %. n: ${Ya.toLowerCase()}`:y;let R=l[p],k=r&&u>=0?r(m.values[u]):NaN;return R.hidden=!Number.isFinite(k)||m.steps[u]<i||m.steps[u]>a,R.hidden||(R.style.transform=`translate(${this.x(m.steps[u])}px, ${k+this.margins.top}px)`),`${m.name} ${b} ${y}`.trim()}),zs(h)].filter(Boolean).join(", ")}tellCells({rows:e,names:t,tell:o,sum:s},r){let i=this.pointed===void 0?null:Math.floor(this.pointed*t.length),a=r<0?"":i!==null&&i>=0&&i<t.length?o(e[r],i):s(e[r]);return v(this.legend,a),a}listen(){let{plot:e,board:t}=this,o=l=>l.clientX-e.getBoundingClientRect().left,s=l=>{let{first:h,last:d}=t.axis;return h+(l-t.theme.room.left)/this.width*(d-h)},r=l=>{let{first:h,last:d}=t.axis,{reach:m}=this,p=he(m,s(l)),u=[p,p+1,p-1].find(f=>m[f]>=h&&m[f]<=d);return m[u??p]??null},i=l=>{let h=e.getBoundingClientRect();this.pointed=(l.clientY-h.top-this.margins.top)/this.height,t.rest(()=>r(l.clientX-e.getBoundingClientRect().left))},a=null;e.addEventListener("pointerdown",l=>{l.button!==0||!t.theme||(a={x:o(l),touch:l.pointerType==="touch"},a.touch?i(l):e.setPointerCapture(l.pointerId))}),e.addEventListener("pointermove",l=>{let h=!l.movementX&&!l.movementY;if(!t.theme||t.slide&&h||(i(l),!a||a.touch))return;let[d,m]=[a.x,o(l)].sort((u,f)=>u-f),{left:p}=t.theme.room;this.brush.hidden=m-d<=Ka,this.brush.style.left=`${Math.max(d,p)}px`,this.brush.style.width=`${Math.min(m,p+this.width)-Math.max(d,p)}px`}),e.addEventListener("pointerup",l=>{if(!a)return;let{x:h,touch:d}=a;a=null,this.brush.hidden=!0;let m=o(l);d?t.hold(r(m)):Math.abs(m-h)>Ka?t.zoom(s(Math.min(h,m)),s(Math.max(h,m))):t.clicked(r(m))}),e.addEventListener("pointercancel",()=>{a=null,this.brush.hidden=!0}),e.addEventListener("pointerleave",l=>{this.pointed=void 0,l.pointerType!=="touch"&&t.rest(null)}),e.addEventListener("dblclick",()=>t.zoom()),e.addEventListener("keydown",l=>this.press(l)),e.addEventListener("blur",()=>e.clientWidth&&t.hold(null)),this.brush.hidden=!0}press(e){if(e.ctrlKey||e.altKey||e.metaKey)return;let{board:t}=this,{steps:o}=this;if(!o.length)return;let s=he(o,t.step),r=e.shiftKey?10:1,i={ArrowLeft:s-r,ArrowRight:s+r,Home:0,End:o.length-1}[e.key];if(i!==void 0)t.hold(o[Math.min(Math.max(i,0),o.length-1)]);else if(e.key==="Enter")t.clicked(o[s]);else if(e.key==="Escape")t.hold(null);else if(e.key==="+"||e.key==="=")t.zoomAround(o[s],.5);else if(e.key==="-")t.zoomAround(o[s],2);else if(e.key==="0")t.zoom();else return;K(e)}}});var nl={};x(nl,{download:()=>Ds});async function Ds(n,e,t){let[o]=n.data.runs,s=n.single?o.name:"comparison";if(e==="csv"){for(let{id:m,name:p,shelf:u="runs"}of n.data.runs)Is(new URL(`./${u}/${encodeURIComponent(m)}/metrics.csv`,document.baseURI).href,`${p}.csv`);return}let r=[s,t].filter(Boolean).join("-").replaceAll(/[^\p{L}\p{N}_-]+/gu,"-"),i=n.panels.filter(m=>"picture"in m),{text:a,width:l,height:h}=await Om(n,i.filter(({panel:m})=>!t||m.name===t)),d=URL.createObjectURL(new Blob([a],{type:"image/svg+xml"}));e==="svg"?Is(d,`${r}.svg`):Is(await zm(d,l,h),`${r}.png`),setTimeout(()=>URL.revokeObjectURL(d),6e4)}function Is(n,e){let t=c("a","",{href:n,download:e});document.body.append(t),t.click(),t.remove()}async function Om(n,e){let t=e.map(({node:m})=>m.getBoundingClientRect()),o=Math.min(...t.map(m=>m.left)),s=Math.min(...t.map(m=>m.top)),r=Math.ceil(Math.max(...t.map(m=>m.right))-o)+2*Yn,i=Math.ceil(Math.max(...t.map(m=>m.bottom))-s)+2*Yn,{theme:a}=n,l=await Promise.all(e.map(async(m,p)=>{let u=await Nm(m);return`<g transform="translate(${t[p].left-o+Yn}, ${t[p].top-s+Yn})">${u}</g>`})),h=`rgb(${a.background.join(",")})`;return{text:`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${r}" height="${i}" viewBox="0 0 ${r} ${i}" font-family="${tl(a.family)}"><rect width="100%" height="100%" fill="${h}"/>${l.join("")}</svg>`,width:r,height:i}}async function Nm(n){let e=n.node.getBoundingClientRect(),t=[n.title,n.tested,n.step,...n.legend.querySelectorAll(".name, b, small")];n.legend.children.length||t.push(n.legend);let o=t.map(a=>Hm(a,e)).join(""),s=[...n.legend.querySelectorAll("svg")].map(a=>{let l=a.getBoundingClientRect(),h=getComputedStyle(a.querySelector("path")??a),d=l.top-e.top+l.height/2;return`<path d="M${l.left-e.left} ${d}h${l.width}" fill="none" stroke="${h.stroke}" stroke-width="2" stroke-dasharray="${h.strokeDasharray==="none"?"":h.strokeDasharray}"/>`}).join(""),r=n.plot.getBoundingClientRect(),i=await n.toSVG();return`${o}${s}<g transform="translate(${r.left-e.left}, ${r.top-e.top})">${i}</g>`}function Hm(n,e){let t=n.textContent;if(!t)return"";let o=n.getBoundingClientRect(),s=getComputedStyle(n);return`<text x="${o.left-e.left}" y="${o.top-e.top+o.height/2}" dominant-baseline="central" font-size="${s.fontSize}" font-weight="${s.fontWeight}" fill="${s.color}">${tl(t)}</text>`}function tl(n){return n.replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;")}async function zm(n,e,t){let o=new Image;o.src=n,await o.decode();let s=c("canvas","",{width:e*el,height:t*el});return me(s).drawImage(o,0,0,s.width,s.height),s.toDataURL("image/png")}var Yn,el,Bs=w(()=>{S();Yn=24,el=2});var sl,ol=w(()=>{sl=`.charts {
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
/* They begin at the same position whatever their numbers. */
.step,
.tested:not(:empty) {
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
`});var al={};x(al,{Examples:()=>an,compared:()=>il});function il(n,e){let t=n.length-e.length-Im,o=t>1?n.slice(0,-t):n,s=Array.from({length:Math.max(o.length,e.length)},(r,i)=>[o[i]??"",o[i]===e[i]?"":o[i]===void 0?"missing":"wrong"]);return t>1?[...s,[`+${t}`,"more"]]:s}function rl(n,e){let t=JSON.stringify(e);n.dataset.shown!==t&&(n.dataset.shown=t,n.replaceChildren(...e.map(([o,s])=>{let r=c("span",`tok ${s}`,o?X(o):" ");return s==="more"&&(r.title=`${o.slice(1)} more tokens`),r})))}var Im,an,Ws=w(()=>{rn();Lt();S();Im=2,an=class extends qe{rows=[];predictions=[];steps=[];right=[];open=!1;named=()=>[];constructor(e,t){super(e,t),this.plot.classList.add("answers"),Object.assign(this.plot,{role:"radiogroup",ariaLabel:"Selected example"})}close(){this.node.remove()}fill(e,t){let{tokens:o=[],end:s,examples:r=[],open:i=!1}=t.more;for(this.open=i,this.legend.textContent=e.how,this.predictions=t.rows("predictions",e.upto),this.steps=this.predictions.map(([a])=>a),this.named=a=>a.filter(l=>l!==s).map(l=>o[l]),this.right=r.map(({right:a})=>this.named(a));this.rows.length>r.length;)this.rows.pop()?.node.remove();for(;this.rows.length<r.length;)this.rows.push(this.row(this.rows.length));this.rows.forEach((a,l)=>rl(a.reads,this.named(r[l].reads).map(h=>[h,""])))}row(e){let[t,o,s]=["toks","toks","verdict"].map(i=>c("span",i)),r=E("example",c("small","","input"),()=>this.board.choose({example:e}),{role:"radio"});return r.append(t,c("small","","output"),o,s),this.plot.append(r),{node:r,reads:t,says:o,verdict:s}}measure(){}draw(){this.point(this.board.step)}point(e){let t=he(this.steps,e);this.step.textContent=t<0?"":`step ${this.steps[t].toLocaleString("en-US")}`,this.rows.forEach((o,s)=>{let r=this.right[s],i=this.predictions[t]?.[1][s],a=i?this.named(i):null,l=a?.length===r.length&&a.every((h,d)=>h===r[d]);rl(o.says,a?this.open?a.map(h=>[h,""]):il(a,r):[]),o.verdict.textContent=!a||this.open?"":l?"✓":"✕",o.verdict.title=!a||this.open?"":l?"all correct":"has errors",o.node.setAttribute("aria-checked",String(s===this.board.example))})}}});var cl={};x(cl,{Heads:()=>ln});async function Wm(n,e){try{let t=await ae(n,Dm,e);return t.ok?j(new Uint8Array(await t.arrayBuffer())):{problem:t.status===429?await t.text():""}}catch{return{problem:""}}}var Dm,Bm,ll,ln,Gs=w(()=>{Ie();rn();Lt();ot();st();Me();S();Dm=1e4,Bm=300,ll=26;ln=class extends qe{choice=c("select","taps",{ariaLabel:"Which attention"});group=new J(this.plot);empty=c("div","empty","Attention heads appear once the run has saved a step.");shown=null;themed="";kept=[];run=null;latest=new Le(Bm,Wm);width=0;height=0;address=null;constructor(e,t){super(e,t),this.plot.classList.add("heads"),Object.assign(this.plot,{role:"group",ariaLabel:"Attention weights"}),this.choice.addEventListener("change",()=>e.choose({tap:this.choice.value})),this.title.after(this.choice),this.plot.append(this.empty),this.group.listen(this.plot,()=>this.tell())}close(){this.latest.forget(),this.node.remove()}fill(e,t){let{attentions:o=[],kept:s=[]}=t.more;this.run=e,this.kept=s.filter(i=>i<=(e.upto??1/0));let r=JSON.stringify(o);this.choice.dataset.shown!==r&&(this.choice.dataset.shown=r,this.choice.replaceChildren(...o.map(({tap:i,title:a})=>new Option(a,i)))),this.choice.value=this.board.attention?.tap??""}measure(){this.width=this.plot.clientWidth,this.height=this.plot.clientHeight}draw(){this.shown&&this.layout(),this.point(this.board.step)}point(e){let{board:t}=this;if(!this.run||!t.attention)return;let o=this.kept[0]===0?this.kept:[0,...this.kept],s=new URLSearchParams({step:String(o[he(o,e)]),example:String(t.example),tap:t.attention.tap}),r=new URL(`./runs/${encodeURIComponent(this.run.id)}/attention?${s}`,document.baseURI).href;r!==this.address&&(this.address=r,this.latest.ask(r,i=>this.show(i)))}show(e){if(!("tensors"in e)){this.address=null,this.legend.textContent=e.problem;return}this.shown=e,this.empty.hidden=!0;let[t]=e.tensors;this.group.fill(t,le(t),{},this.board.theme,null),this.step.textContent=`step ${e.step.toLocaleString("en-US")}`,this.layout()}layout(){let{board:e}=this,{theme:t}=e;if(!this.width)return;this.themed!==e.themeKey&&(this.themed=e.themeKey,this.group.paint(t,null));let o=e.slide?Math.round(3*ll*t.scale):ll;Qt(this.group,t,{width:this.width,height:this.height,most:o}),this.tell()}tell(){let e=this.group.words();!e&&this.shown&&(e=`example ${this.board.example+1}, with the model's own predictions`),v(this.legend,e)}toSVG(){let e=this.plot.getBoundingClientRect();return this.group.tiles.map(({canvas:t,title:o})=>{let s=t.getBoundingClientRect(),r=o.getBoundingClientRect();return`<text x="${r.left-e.left}" y="${r.top-e.top+r.height/2}" dominant-baseline="central" font-size="12" font-weight="600" fill="${this.board.theme.ink}">${o.textContent}</text><image href="${t.toDataURL()}" x="${s.left-e.left}" y="${s.top-e.top}" width="${s.width}" height="${s.height}"/>`}).join("")}get picture(){return this.plot}}});var dl={};x(dl,{toolbar:()=>Us});function Us(n){let e=c("span"),t=c("span"),o=Qn("Step through",()=>n.open(n.step??n.newest)),s=Qn("Latest",()=>n.hold(null)),r=Qn("Whole run",()=>n.zoom()),i=c("span","word",{role:"status"}),a=hl("Log scale",g=>n.change({log:g})),l=hl("Gradient norm",g=>n.observe(g)),h=c("input","",{type:"range",min:"0",max:String(js.length-1),step:"1",ariaLabel:"Smoothing"}),d=c("output","over");h.addEventListener("input",()=>n.change({smoothing:js[Number(h.value)]}));let m=jm(n);o.title="Open this training step in Step through.";let p=c("output","now",t,e),u=c("span","acts",o,s,r),f=c("label","smoothing","Smoothing ",h,d);return{node:c("div","bar wrap",p,u,i,f,a.node,l.node,m.node,{role:"toolbar",ariaLabel:"Charts"}),say:g=>i.textContent=g,tell(g,T){v(t,`Step ${Gm(g??T)}`),e.textContent=g===null?" (latest)":"",s.classList.toggle("unused",n.held===null),o.classList.toggle("unused",!n.data.opens||n.held===null)},update(){let{look:g,data:T}=n;a.input.checked=g.log,h.value=String(js.indexOf(g.smoothing)),d.textContent=g.smoothing?`over ${g.smoothing} steps`:"off",h.setAttribute("aria-valuetext",d.textContent),r.classList.toggle("unused",!n.zoomed),l.node.hidden=T.observes===null,l.input.disabled=!T.observes,l.node.title=T.observes===!1?"You can turn the gradient norm on or off only while the run trains.":"",l.input.checked=n.observed,m.update()}}}function Gm(n){return n.toLocaleString("en-US")}function Qn(n,e){let t=E("",n,e);return t.addEventListener("pointerdown",o=>o.preventDefault()),t}function hl(n,e){let t=c("input","",{type:"checkbox"});return t.addEventListener("change",()=>e(t.checked)),{node:c("label","check",t,n),input:t}}function jm(n){let e=c("select","",{ariaLabel:"Which charts"}),t=[["PNG","png"],["SVG","svg"],["CSV","csv"]].map(([a,l])=>{let h=Qn(a,()=>{n.download(l,e.value),r.open=!1});return Object.assign(h,{ariaLabel:`Download as ${a}`})}),o=c("small","","PNG and SVG show the charts as drawn. CSV has every recorded step."),s=c("summary","","Download"),r=c("details","downloads",s,c("div","menu",e,c("div","kinds",...t),o)),i=a=>{r.open&&!a.composedPath().includes(r)&&(r.open=!1)};return r.addEventListener("toggle",()=>{r.open?document.addEventListener("pointerdown",i):document.removeEventListener("pointerdown",i)}),r.addEventListener("keydown",a=>{a.key!=="Escape"||!r.open||(r.open=!1,s.focus(),a.stopPropagation())}),{node:r,update(){let a=[["","All charts"],...n.panels.filter(h=>"picture"in h).map(({panel:h})=>[h.name,h.title])],l=JSON.stringify(a);e.dataset.names!==l&&(e.dataset.names=l,e.replaceChildren(...a.map(([h,d])=>new Option(d,h))))}}}var js,_s=w(()=>{S();js=[0,2,5,10,20,50,100,200,500,1e3,2e3,5e3]});var bl={};x(bl,{Board:()=>eo,default:()=>Vm,prepare:()=>Jm});async function qm({program:n,specs:e},t,o){for(let s=ul.first;;s=Math.min(2*s,ul.most)){try{return await(Zn??=gl(n,e))}catch{Zn=null,t()}if(await new Promise(r=>setTimeout(r,s)),o())return null}}async function gl(n,e){let t=fl++?`?try=${fl}`:"",[{vegaEmbed:o},s]=await Promise.all([import(new URL(`./${n}${t}`,document.baseURI).href),fetch(new URL(`./${e}`,document.baseURI)).then(r=>r.json())]);return{embed:o,...s}}function Jm({data:{program:n,specs:e}}){(window.requestIdleCallback??setTimeout)(()=>(Zn??=gl(n,e)).catch(()=>Zn=null))}function Ym(n,e,t){let o=n.rows(t,e.upto).filter(i=>i.length>1),s=o.map(i=>i.slice(1)),r=s.reduce((i,a)=>Math.max(i,a.length),0);return{steps:o.map(([i])=>i),rows:s,names:Array.from({length:r},(i,a)=>String(a+1)),cell:(i,a)=>typeof i[a]=="number"&&{value:i[a]},tell:(i,a)=>typeof i[a]=="number"?`position ${a+1}: ${H(i[a])} right`:`position ${a+1}: not evaluated`,sum(i){let a=i.map((h,d)=>[h,d]).filter(([h])=>typeof h=="number"),l=a.reduce((h,d)=>d[0]<h[0]?d:h,a[0]??[0,0]);return a.length?`lowest: position ${l[1]+1}, ${H(l[0])} right`:""}}}function Qm(n,e,t){let{tokens:o=[],examples:s=[]}=n.more,r=n.rows("predictions",e.upto).filter(d=>d[1].length),i=r.map(d=>d[1][t]??[]),a=s[t]?.right??[],l=i.reduce((d,m)=>Math.max(d,m.length),a.length),h=d=>o[d]??"";return{steps:r.map(([d])=>d),rows:i,names:Array.from({length:l},(d,m)=>h(a[m])||"–"),cell:(d,m)=>(d[m]!==void 0||a[m]!==void 0)&&{token:h(d[m]),right:d[m]===a[m]},tell:(d,m)=>`position ${m+1}: predicted ${h(d[m])||"nothing"}, expected ${h(a[m])||"nothing"}`,sum:d=>`${a.filter((m,p)=>d[p]===m).length} of ${a.length} tokens right`}}var Um,ml,pl,ul,_m,Fm,Zn,fl,Km,Vm,eo,Xm,wl=w(()=>{Oe();I();kt();ol();Te();rn();Bs();Lt();Xn();Ws();Gs();Ce();Ne();_s();O();S();Um=250,ml=4,pl=7,ul={first:1e3,most:3e4},_m=[1,1.5,2,3,4,5,6,8,10],Fm={log:!1,smoothing:0,example:0,tap:""},Zn=null,fl=0;Km=[U,M,ge,sl],Vm=C(Km,n=>new eo(n),(n,{data:e,setStateValue:t,setTriggerValue:o})=>{n.open=s=>o("step",s),n.acts.adopt(e,s=>t("acts",s)),n.show(e)});eo=class{parent;root;bar;grid=c("div","grid");observer=new ResizeObserver(()=>this.fit());unwatch;size="";shown="";themeKey="";names="";channel="";alone=!1;closed=!1;acts=new W;stores=new Map;panels=[];look=Fm;resting=null;held=null;zoomed=null;library=null;loading;data;theme;played=null;slide=null;open;news=0;frame=0;opening=0;constructor(e){this.parent=e,this.root=e.querySelector(".charts"),this.bar=Us(this),this.root.append(this.bar.node,this.grid),this.observer.observe(this.root),this.unwatch=It.watch(t=>this.present(t)),document.addEventListener("keydown",this.letGo)}present(e){this.held=e&&this.slide?this.step:null,this.resting=null,this.slide=e,this.choosePanels(),this.fit(),this.shown&&this.point()}letGo=e=>{e.key!=="Escape"||!this.slide||this.held===null||(this.hold(null),e.preventDefault())};fit(){let e=`${this.root.clientWidth} ${this.panels.map(({plot:o})=>o.clientHeight)}`,t=e!==this.size;this.size=e,this.shown&&t&&(this.dress()?this.fill():this.redraw())}choosePanels(){this.grid.classList.toggle("presented",this.slide!==null);for(let{node:e,panel:t}of this.panels)e.classList.toggle("shown",!!this.slide?.panels.includes(t.name))}close(){this.closed=!0,cancelAnimationFrame(this.news),this.played?.close();for(let e of this.stores.values())e.leave(this.changed);this.observer.disconnect(),this.unwatch(),document.removeEventListener("keydown",this.letGo);for(let e of this.panels)e.close();this.root.replaceChildren()}async show(e){this.data=structuredClone(e),this.listen();for(let{id:t}of this.all)this.store(t);for(let[t,o]of this.stores)this.all.some(s=>s.id===t)||(o.leave(this.changed),this.stores.delete(t));this.loading??=qm(e,()=>this.bar.say("Charts didn't load. Retrying ..."),()=>this.closed),this.library??=await this.loading,!this.closed&&(this.dress(),this.panels.length||this.fill(),this.refresh())}get drawn(){return JSON.stringify([this.data,this.themeKey,this.all.map(({id:e})=>this.store(e).version)])}changed=()=>{cancelAnimationFrame(this.news),this.news=requestAnimationFrame(()=>this.refresh())};refresh(){if(this.closed||!this.data||!this.library)return;for(let o of this.all){let{more:s}=this.store(o.id);!o.channel&&s.step!==void 0&&Object.assign(o,{step:s.step,ended:s.ended})}let e=this.all.map(({id:o})=>this.store(o).problem).find(Boolean)??"",{drawn:t}=this;this.bar.say(e),t!==this.shown&&(this.shown=t,this.fill())}store(e){let t=this.stores.get(e);if(t)return t;let s=(this.all.find(r=>r.id===e)?.shelf==="library"?Rs:As)(e,this.changed);return this.stores.set(e,s),s}listen(){let e=this.data.runs[0].channel??"";e!==this.channel&&(this.channel=e,this.played?.close(),this.played=e?new _e(e,()=>{let t=this.played?.values??{},[o]=this.data.runs;o.channel===e&&t.step!==void 0&&Object.assign(o,{upto:t.step,step:t.step,ended:t.ended}),this.changed()}):null)}dress(){if(!this.library)return!1;let e=Ns(this.parent,this.library.colours),t=JSON.stringify(e);if(t===this.themeKey)return!1;this.theme=e,this.themeKey=t;for(let[o,s]of Object.entries({right:e.right.fill,wrong:e.wrong.fill,miss:e.wrong.ink}))this.root.style.setProperty(`--${o}`,s);return!0}get observed(){let{id:e}=this.data.runs[0];return this.acts.pending.findLast(([,,t])=>t===e)?.[3]??this.data.observed}observe(e){this.acts.add("observe",this.data.runs[0].id,e),this.fill()}get single(){return this.data.runs.length===1}get all(){let{runs:e,beside:t}=this.data;return t?[...e,t]:e}fill(){let e=this.wanted(),t=e.map(({name:o})=>o).join(" ")+this.single;if(t!==this.names){this.names=t;let o=this.single===this.alone?new Map(this.panels.map(s=>[s.panel.name,s])):new Map;for(let s of this.panels)e.some(({name:r})=>r===s.panel.name&&o.has(r))||s.close();this.panels=e.map(s=>o.get(s.name)??new(Xm[s.kind]??Mt)(this,s)),this.alone=this.single,this.grid.replaceChildren(...this.panels.map(({node:s})=>s)),this.choosePanels()}for(let o of this.panels)this.give(o);this.bar.update(),this.redraw()}wanted(){if(!this.library)return[];let{panels:e,compared:t,measures:o}=this.library,s=(r,i)=>o[i].grouped?this.store(r.id).rows(o[i].table,r.upto).some(a=>a.length>1):this.column(r,i).steps.length>0;return(this.single?e:t).filter(r=>this.data.panels.length&&!this.data.panels.includes(r.name)?!1:!r.if_measured||r.measures.some(([i])=>o[i].on_request&&this.observed||this.data.runs.some(a=>s(a,i))))}give(e){let{kind:t,measures:o}=e.panel,{runs:s}=this.data,[r]=s,i=this.store(r.id);if(!(e instanceof Mt))return e.fill(r,i);if(t==="positions")return e.setCells(Ym(i,r,o[0][0]));if(t==="predictions")return e.setCells(Qm(i,r,this.example));if(this.library?.measures[o[0][0]].grouped)return e.setLines(this.groups(i,r,o[0][0]));if(!this.single)return e.setLines(s.map((m,p)=>({key:m.id,name:m.name,colour:it(this.theme,m.colour),dash:sn(p),...this.column(m,o[0][0])})));let l=o.filter(([m])=>!m.startsWith("teacher_forced")||r.forced.includes(m)).map(([m,p],u)=>({key:m,name:p,...Ps(this.theme,u),...this.column(r,m)})),{beside:h}=this.data,d=h&&{key:"beside",beside:!0,name:h.name,colour:it(this.theme,pl),dash:sn(pl)};e.setLines(d?[...l,{...d,...this.column(h,o[0][0])}]:l)}get example(){let{examples:e=[]}=this.store(this.data.runs[0].id).more;return Math.min(this.look.example,Math.max(0,e.length-1))}get attention(){let{attentions:e=[],attention:t}=this.store(this.data.runs[0].id).more;return e.find(({tap:o})=>o===this.look.tap)??e.find(({tap:o})=>o===t)??null}groups(e,t,o){let{groups:s={}}=e.more;return(s[o]??[]).map(([i,a],l)=>({tap:i,name:a,at:1+l})).filter(({tap:i})=>!i||i===this.attention?.tap).map(({name:i,at:a},l)=>({key:i,name:i,colour:it(this.theme,l),dash:sn(l+Math.floor(l/this.theme.colours.length)),...e.column(o,a,t.upto)}))}column(e,t){let{table:o,at:s,beside:r}=this.library.measures[t];return this.store(e.id).column(o,s,e.upto,r)}get newest(){return Math.max(0,...this.data.runs.map(e=>this.last(e)))}get end(){let{beside:e}=this.data;return Math.max(1,this.newest,e?this.last(e):0)}last({id:e,step:t,upto:o}){return o??Math.max(t,this.store(e).tables.steps?.at(-1)?.[0]??0)}get axis(){if(this.zoomed)return this.zoomed;let{end:e}=this;if(this.all.every(({ended:o})=>o))return{first:0,last:e};let t=10**Math.floor(Math.log10(e));return{first:0,last:_m.map(o=>o*t).find(o=>o>=e)??e}}zoom(e=0,t=1/0){let{end:o}=this,s=e<=0&&t>=o,r=Math.max(0,Math.floor(e));this.zoomed=s?null:{first:r,last:Math.max(Math.ceil(Math.min(t,Math.max(o,r+1))),r+1)},this.bar.update(),this.redraw()}zoomAround(e,t){let{first:o,last:s}=this.axis;this.zoom(e-(e-o)*t,e+(s-e)*t)}changes(){let[{id:e,upto:t}]=this.data.runs;return(this.single?this.store(e).more.changes??[]:[]).filter(({step:s})=>s<=(t??1/0)).map(({step:s,label:r},i)=>({step:s,label:r,line:i%ml}))}get lanes(){return Math.min(ml,this.changes().length)}redraw(){this.size=`${this.root.clientWidth} ${this.panels.map(({plot:e})=>e.clientHeight)}`;for(let e of this.panels)e.measure();for(let e of this.panels)e.draw();this.tell()}get step(){return this.resting?this.resting():this.held}rest(e){this.resting=e,e&&this.slide&&(this.held=null),this.point()}hold(e){this.held=e,e!==null&&(this.resting=null),this.point()}point(){cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>{let{step:e}=this;for(let t of this.panels)t.point(e);this.tell()})}tell(){this.bar.tell(this.step,this.newest)}clicked(e){let t=this.opening;clearTimeout(t),this.opening=0,!(e===null||!this.data.opens)&&(this.zoomed?t||(this.opening=setTimeout(()=>{this.opening=0,this.open(e)},Um)):this.open(e))}change(e){Object.assign(this.look,e),this.bar.update(),this.redraw()}choose(e){Object.assign(this.look,e),this.fill()}download(e,t){return Ds(this,e,t)}},Xm={examples:an,attention:ln}});var xl,yl=w(()=>{xl=`.zone {
  align-items: center;
  border: 1px dashed transparent;
  border-radius: 0.5rem;
  gap: 0.3rem 0.75rem;
}
.zone.over {
  border-color: var(--st-primary-color);
}
`});var kl={};x(kl,{default:()=>tp});function np(n){try{let e=JSON.parse(n).cells.filter(t=>t.cell_type==="code");return JSON.stringify({cells:e.map(({cell_type:t,source:o})=>({cell_type:t,source:o}))})}catch{return n}}function op(n){let e=new TextDecoder("latin1").decode(n.slice(0,1e3)).split(/\r\n?|\n/,2);for(let t of e){let o=/^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(t);if(o)return o[1].toLowerCase().replaceAll("_","-").replace(/^(iso-)?latin-1$/,"latin1")}return"utf-8"}var ep,tp,Fs,vl=w(()=>{I();yl();O();S();ep=5e7,tp=C([M,xl],n=>new Fs(n),(n,{data:e,setTriggerValue:t})=>{n.allow(e),n.tell=o=>t("chosen",o)}),Fs=class{zone;input=Ve("",e=>this.take(e));choose=E("","",()=>this.input.click());allowed={most:0,endings:[]};tell;ended=new AbortController;constructor(e){this.zone=c("div","zone wrap large",this.choose,this.input,c("span","soft","or drop it on this page")),e.querySelector(".code-file")?.replaceChildren(this.zone);for(let t of["dragenter","dragover","dragleave","drop"]){let o={capture:!0,signal:this.ended.signal};addEventListener(t,s=>this.drag(s),o)}}allow(e){this.allowed=e,this.input.accept=e.endings.join(","),v(this.choose,`Choose a ${e.endings.join(" or ")} file`)}drag(e){let t=[...e.dataTransfer?.items??[]].filter(({kind:o})=>o==="file");t.length!==1||/zip/.test(t[0].type)||(e.preventDefault(),e.stopImmediatePropagation(),this.zone.classList.toggle("over",e.type==="dragenter"||e.type==="dragover"),e.type==="drop"&&this.take([...e.dataTransfer?.files??[]]))}async take([e]){if(!e)return;if(!this.allowed.endings.some(o=>e.name.toLowerCase().endsWith(o)))return this.tell({problem:"other"});let t=/\.ipynb$/i.test(e.name);if(e.size>(t?ep:this.allowed.most))return this.tell({problem:"large"});try{let o=await e.arrayBuffer(),s=new TextDecoder(t?"utf-8":op(o),{fatal:!0}).decode(o),r=t?np(s):s;this.tell(r.length>this.allowed.most?{problem:"large"}:{name:e.name,text:r})}catch{this.tell({problem:"binary"})}}close(){this.ended.abort()}}});var Tl={};x(Tl,{legendItems:()=>cn});function cn(n,e,t){let o=[],s=(p,...u)=>{let f=c("div","item",...u,c("span","",p));return o.push(f),f},r=(p,u,f)=>{let b=c("div","bar");b.style.background=`linear-gradient(to right, ${u.map(q).join(", ")})`;let g=c("div","ticks",...f.map(T=>c("span","",T)));s(p,c("div","",b,g))},i=(p,u)=>{let f=c("div","swatch");return f.style.background=u,s(p,f)},a=[...t.negative.slice(1).reverse(),...t.positive],l=p=>[`-${mt({},p)}`,"0",mt({},p)],h=new Set(n.map(p=>p.kind)),d=(p,u)=>{let f=new Map(u.map(b=>[b.most,b.tensor.output?"output":"input"]));for(let[b,g]of f)r(f.size>1?`${p}, ${g}`:p,a,l(b))};d("number",n.filter(p=>p.kind==="signed"&&p.coloured)),h.has("probability")&&r("probability",t.probability,["0","0.5","1"]),d("gradient dL/d…",e.filter(p=>p.coloured)),h.has("mask")&&i("allowed",q(t.allowed));let m=n.filter(p=>p.hidden);if(m.length){let p=u=>m.some(f=>f.hidden?.some(b=>b&u));i("hidden by the causal mask",Pn(t,Qe)).classList.toggle("unused",!p(Qe)),i("hidden by the padding mask",Pn(t,xt)).classList.toggle("unused",!p(xt))}return o}var to=w(()=>{ee();S()});var Ks=yo(()=>{var Cl="[class*=st-key-play-] button",hn=null,El=new MutationObserver(()=>{if(!hn||hn.isConnected)return;if(document.activeElement!==document.body)return qs(null);let n=document.querySelector(Cl);n instanceof HTMLElement&&n.focus({preventScroll:!0})});function qs(n){hn=n,n?El.observe(document.body,{childList:!0,subtree:!0}):El.disconnect()}document.addEventListener("focusin",({target:n})=>qs(n instanceof Element?n.closest(Cl):null));document.addEventListener("focusout",()=>{setTimeout(()=>{hn?.isConnected&&document.activeElement!==hn&&qs(null)})})});var Ml={};x(Ml,{default:()=>ip});function ap(){let n=document.querySelector(`[${ft}]`);return n!==null&&n.getAttribute(ft)!=="notRunning"}function lp(n,e){let t=document.querySelector(n);t&&typeof e=="string"&&v(t,e)}var Fb,sp,Sl,Ll,rp,ip,Vs,$l=w(()=>{Fb=At(Ks());Ne();fe();O();S();sp=1e3,Sl=5e3,Ll=200,rp=50,ip=C([],()=>new Vs,(n,{data:e,setTriggerValue:t})=>n.show(e,()=>t("changed",!0)));Vs=class{followed=new Map;data;ask;timer=0;drawn=0;asked=!1;reported=new WeakSet;busy=-Ll;show(e,t){if(this.ask=t,e.at===this.data?.at)return;let{shown:o={},again:s}=e;for(let[r,i]of this.followed)r in o||(i.close(),this.followed.delete(r));for(let r of Object.keys(o))this.followed.has(r)||this.followed.set(r,new _e(r,()=>this.check()));Object.assign(this,{data:e,drawn:performance.now(),asked:!1}),clearTimeout(this.timer),s===void 0?this.check():this.repeat(1e3*s)}get news(){return Object.entries(this.data.shown??{}).flatMap(([e,t])=>{let o=this.followed.get(e);if(!o)return[];if(o.gone)return this.reported.has(o)?[]:[o];let s=Object.keys(t).map(r=>o.values[r]??null);return o.at&&JSON.stringify(s)!==JSON.stringify(Object.values(t))?[o]:[]})}check(){let{at:e,wait:t,texts:o={}}=this.data;for(let l of this.followed.values())if(l.gone||this.reported.delete(l),l.at>e)for(let[h,d]of Object.entries(o))lp(d,l.values[h]);if(this.asked)return;clearTimeout(this.timer);let{news:s}=this;if(!s.length)return;let r=performance.now(),i=s.every(l=>l.at<=e),a=this.drawn+Math.max(i?sp:0,1e3*t)-r;if(a>0)return this.later(a);if(ap()&&(this.busy=r),r-this.busy<Ll)return this.later(rp);this.asked=!0,this.later(Sl);for(let l of s)l.gone&&this.reported.add(l);this.ask()}later(e){this.timer=setTimeout(()=>{this.asked=!1,this.check()},e)}repeat(e){this.timer=setTimeout(()=>{this.ask(),this.repeat(Sl)},e)}close(){clearTimeout(this.timer);for(let e of this.followed.values())e.close()}}});var Rl,Al=w(()=>{Rl=`.progress {
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
`});var Ol={};x(Ol,{default:()=>hp});var hp,Js,Nl=w(()=>{I();Al();Ne();O();S();hp=C([M,Rl],n=>new Js(n),(n,{data:e})=>n.show(e)),Js=class{status=c("span","status");text=c("span","text");fill=c("i");bar=c("div","bar",this.fill,{role:"progressbar",ariaValueMin:"0",ariaValueMax:"100"});root=c("div","progress",c("div","line",this.status," ",this.text),this.bar);live=new ce(()=>this.draw());data;constructor(e){this.root.dataset.testid="progress",e.append(this.root)}show(e){this.data=e,this.live.show(e),this.draw()}draw(){let{field:e,label:t}=this.data,o=e&&this.live.isNewer?this.live.values[e]:this.live.values;if(!o)return;let{status:s="",text:r,done:i,colour:a="gray",meaning:l=""}=o;v(this.status,s),this.status.title=l,v(this.text,r),this.status.style.color=`var(--st-${a}-text-color)`,this.status.style.background=`var(--st-${a}-background-color)`,this.status.hidden=!s,this.fill.className=i===null?"unknown":"",this.fill.style.width=i===null?"":`${100*i}%`,this.bar.ariaValueNow=i===null?null:String(Math.round(100*i)),this.bar.ariaLabel=t||`${s} ${r}`}close(){this.live.close(),this.root.remove()}}});var zl,Hl=w(()=>{zl=`/* The architecture diagram: what a page adds to the drawing, which has its own look. */
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
`});var Il={};x(Il,{default:()=>up,follow:()=>Ys,go:()=>He,unfollow:()=>Qs});function Ys(n,e,{parentElement:t,setStateValue:o}){Je.set(n,{...e,host:t.host??t}),oo.adopt(e,s=>o("acts",s)),re.set(n,e)}function Qs(n){re.set(n,null),Je.set(n,null)&&oo.release()}function Pl(){return!!Je.value?.host.isConnected}function He(n){return Pl()?(oo.add("go","",n),innerWidth<mp&&no?.host.scrollIntoView({behavior:Y()?"auto":"smooth"}),!0):!1}var mp,pp,oo,no,up,Xs,dn=w(()=>{Te();Q();V();fe();O();S();Ce();mp=640,pp={ArrowRight:["operation",1],ArrowLeft:["operation",-1],PageDown:["operation",1],PageUp:["operation",-1],"Shift+ArrowRight":["sublayer",1],"Shift+ArrowLeft":["sublayer",-1],".":["time",1],",":["time",-1],g:["gradient",1]},oo=new W,no=null,up=C(se,n=>new Xs(n),n=>no=n);document.addEventListener("keydown",n=>{if(!Pl()||!F(n))return;let[e,t]=pp[ve(n)]??[];e&&(n.preventDefault(),(!n.repeat||e!=="gradient")&&oo.add(e,"",t))});Xs=class{host;list=c("ol","wrap");menu=c("div","menu",{role:"menu",popover:"auto"});nav=c("nav","crumbs",this.list,this.menu,{ariaLabel:"Path of this operation"});tour=c("nav","tour wrap",{ariaLabel:"Short tour"});unwatch;constructor(e){this.host=e.host??e,this.host.style.scrollMarginTop="4.5rem",e.append(this.tour,this.nav),this.listen(),this.unwatch=Je.watch(t=>t&&this.draw(t))}close(){this.tour.remove(),this.nav.remove(),no===this&&(no=null),this.unwatch()}listen(){let{list:e,menu:t}=this,o=r=>r.target.closest("button"),s=()=>t.getRootNode().activeElement;e.addEventListener("click",r=>{let i=o(r);i&&(i===e.lastElementChild?.firstElementChild?this.openMenu(i):He({name:i.value}))}),t.addEventListener("click",r=>{let i=o(r);i&&(t.hidePopover(),He({name:i.value}))}),t.addEventListener("keydown",r=>{let i=[...t.querySelectorAll("button")],a=i.findIndex(h=>h===s()),l={ArrowDown:a+1,ArrowUp:a-1+i.length,Home:0,End:i.length-1}[r.key];r.stopPropagation(),l!==void 0&&(r.preventDefault(),i[l%i.length].focus())}),t.addEventListener("toggle",r=>{let i=e.querySelector("button.last");i?.setAttribute("aria-expanded",String(r.newState==="open")),r.newState==="closed"&&t.contains(s())&&i?.focus()})}draw({lit:e,crumbs:t,stops:o=[]}){let{host:s,tour:r,list:i,menu:a}=this;r.hidden=!o.length,s.closest(zt)?.style.setProperty("flex-basis",o.length?"100%":"");let l=[...r.children],h=l.pop()??E("stop end","End tour",()=>He({ends:!0}));ye(r,[...o.map(([p,u],f)=>{let b=l[f]??E("stop",`${f+1} ${p}`,()=>He({name:b.value}));return Object.assign(b,{value:u,ariaCurrent:u===e?"step":null})}),h]);let d=r.querySelector("[aria-current]");for(d&&(r.scrollLeft=d.offsetLeft-(r.clientWidth-d.offsetWidth)/2),a.dataset.lit!==e&&a.matches(":popover-open")&&a.hidePopover(),a.dataset.lit=e;i.children.length>t.length;)i.lastElementChild?.remove();for(;i.children.length<t.length;)i.append(c("li","",c("button","",{type:"button"})));let m=i.querySelectorAll("button");t.forEach(([p,u],f)=>{let b=m[f],g=f===t.length-1;v(b,p),b.classList.toggle("last",g),Object.assign(b,{value:u,...g?{ariaCurrent:"step",ariaHasPopup:"menu",ariaExpanded:"false"}:{ariaCurrent:null,ariaHasPopup:null,ariaExpanded:null}})}),i.scrollLeft=i.scrollWidth}openMenu(e){let{menu:t}=this,o=Je.value?.lit,s=o===void 0?[]:gt.value?.(o)??[];if(!s.length)return;let r={type:"button",role:"menuitem",tabIndex:-1};t.replaceChildren(...s.map(({label:d,name:m})=>c("button","",d,{...r,value:m,ariaCurrent:m===o?"step":null}))),t.showPopover();let i=e.getBoundingClientRect(),{offsetWidth:a,offsetHeight:l}=t,h=innerHeight-i.bottom-8;t.style.left=`${Math.max(8,Math.min(i.left,document.documentElement.clientWidth-a-8))}px`,t.style.top=`${l<=h?i.bottom+4:Math.max(8,innerHeight-l-8)}px`,(t.querySelector("[aria-current]")??t.querySelector("button"))?.focus()}}});var Dl={};x(Dl,{default:()=>gp});function bp(n,e,[t,o]){let s=l=>{let h=(l.querySelector(".box")??l).getBoundingClientRect();return[h.x+h.width/2,h.y+h.height/2]},[r,i]=s(e),a=null;for(let l of n){let[h,d]=s(l),m=(h-r)*t+(d-i)*o,p=Math.abs((h-r)*o)+Math.abs((d-i)*t);if(l===e||m<=p)continue;let u=m+2*p;u<(a?.far??1/0)&&(a={part:l,far:u})}return a?.part}var fp,gp,Zs,Bl=w(()=>{Hl();V();dn();Ce();Hn();O();fp={ArrowUp:[0,-1],ArrowDown:[0,1],ArrowLeft:[-1,0],ArrowRight:[1,0]},gp=C([zl],n=>new Zs(n),(n,{data:{svg:e,action:t},setTriggerValue:o})=>{n.open=s=>He({part:s})||o("part",s),n.action=t,n.svg!==e&&n.draw(e),n.unwatch(),n.unwatch=re.watch(s=>n.light(s))}),Zs=class{root;parts=[];stop=null;svg="";action="";open=()=>{};unwatch=()=>{};closing=new AbortController;constructor(e){this.root=e.querySelector(".picture"),this.listen()}close(){this.closing.abort(),this.unwatch(),this.root.replaceChildren()}draw(e){let{activeElement:t}=this.root.getRootNode(),o=t instanceof SVGElement&&t.dataset.part;this.svg=e,this.root.innerHTML=e;let s=this.root.querySelector("svg"),r=s?.querySelector("title");if(!s||!r)throw new Error("The picture is no drawing with a title.");Object.assign(s,{role:"group",ariaLabel:`${r.textContent}: parts, arrow keys move`}),r.remove(),this.parts=[...s.querySelectorAll("[data-part]")];for(let i of this.parts){for(let l of i.querySelectorAll("g, text, tspan"))l.after(" ");let a=i.textContent?.replace(/\s+/g," ").trim();Object.assign(i,{role:"button",ariaLabel:`${i.dataset.name}: ${a}`}),i.setAttribute("aria-description",`${i.dataset.shape}. ${i.dataset.tip}`)}this.setStop(this.parts.find(i=>i.dataset.part===o)??this.parts[0]),o&&this.stop?.focus({preventScroll:!0})}setStop(e){for(let t of this.parts)t.setAttribute("tabindex",t===e?"0":"-1");this.stop=e}light(e){this.root.querySelector("svg")?.classList.toggle("whole",!!e?.whole);for(let t of this.parts){let o=e?.parts?e.parts.includes(t.dataset.part??""):t.dataset.part===e?.part;t.classList.toggle("lit",o),t.ariaCurrent=o?"step":null,o&&!this.root.matches(":focus-within")&&this.setStop(t)}for(let t of this.root.querySelectorAll("[data-along]")){let o=t.dataset.along===e?.along;t.classList.toggle("along",o),t.classList.toggle("joined",o&&!!e?.joined)}for(let t of this.root.querySelectorAll("[data-stack]")){let o=t.querySelector(".times");if(!o)continue;let s=o.dataset.all??=o.textContent??"",r=t.dataset.stack===e?.stack;t.classList.toggle("here",r),o.textContent=r?s.replace("×",`layer ${e?.layer} of`):s}}listen(){let{signal:e}=this.closing,t=(s,r)=>this.root.addEventListener(s,i=>{let a=i.target instanceof Element&&i.target.closest("[data-part]");a&&r(a,i)},{signal:e}),o=s=>On(s,s.dataset.name,s.dataset.shape,s.dataset.tip,this.action);t("pointerover",(s,r)=>r.pointerType!=="touch"&&o(s)),t("pointerout",Nn),t("focusin",s=>{this.setStop(s),s.matches(":focus-visible")&&o(s)}),t("focusout",Se),t("click",s=>this.open(s.dataset.part)),t("keydown",(s,r)=>{if(r.ctrlKey||r.altKey||r.metaKey)return;let i=fp[r.key];if(!(!i&&r.key!=="Enter"&&r.key!==" ")){if(K(r),!i)return this.open(s.dataset.part);bp(this.parts,s,i)?.focus()}})}}});var Wl={};x(Wl,{asker:()=>tr,question:()=>nr});function nr({walk:n,operation:e},t){let o=new URLSearchParams({operation:e,at:t.join(",")});return new URL(`./walk/${encodeURIComponent(n||"none")}/cell?${o}`,document.baseURI).href}var wp,yp,er,tr,or=w(()=>{Ie();wp=500,yp=1e4,er={lines:[],strips:[]},tr=()=>new Le(wp,async(n,e)=>{try{let t=await ae(n,yp,e);return t.status===410?{...er,gone:!0,problem:""}:t.ok?await t.json():{...er,problem:await t.text()}}catch{return{...er,problem:"Server not responding. Point at the cell again."}}})});var Kl={};x(Kl,{Expression:()=>pn});function Ul(n){return n.terms.length>0&&n.terms.every(e=>e.every(t=>t===0||t===1))}function Sp(n,e){let t=c("div","line"),o=ct("maths",`Expression ${n.name||e+1}`);for(let[s,r]of[["symbolic",n.symbolic],["numbers",n.numbers]]){let i=c("span",s);i.innerHTML=r,o.append(s==="numbers"?"=":"",i)}return t.append(o),n.name&&!o.textContent.startsWith(n.name)&&o.prepend(c("span","name",n.name)),n.terms.length&&t.append(Lp(n)),t}function Lp(n){let e=n.terms[0].length-1,t=(i,a)=>[i,...a].map(l=>l.padStart(mn)).join(""),o=[t(n.over,n.terms.map((i,a)=>String(n.indices?.[a]??a+1)))],s=ql(n);for(let i=0;i<e;i++)o.push(t(i&&s?"×":"",n.terms.map(a=>_l(a[i]))));(e!==1||n.terms.some(i=>i[0]!==i[1]))&&o.push(t(s?"=":"→",n.terms.map(i=>_l(i[e]))));let r=ct("terms",`${n.terms.length} terms${n.name&&` of ${n.name}`}`,c("pre","",o.join(`
`)));return Fl.set(r,n),r}function ql(n){return n.terms.every(e=>{let t=e.slice(0,-1).reduce((o,s)=>o*Number(s),1);return e.length>2&&Math.abs(t-Number(e.at(-1)))<=1e-6*Math.max(1,Math.abs(t))})}function _l(n){let e=D(n);return e.length<mn?e:Number(n).toExponential(1)}function Mp(n){let e=n.terms.length;return e<2?D(n.value):`${D(n.value)}, sum of ${e} ${ql(n)?"products":"terms"}`}function $p(n,e){let o=n==="relu"?f=>Math.max(0,f):f=>f/2*(1+Ap(f/Math.SQRT2)),s=Math.max(3,Math.ceil(Math.abs(e))),r=s,i=-s/4,[a,l]=[160,100],h=f=>(f+s)/(2*s)*a,d=f=>l-(f-i)/(r-i)*l,p=Array.from({length:81},(f,b)=>-s+2*s*b/80).map((f,b)=>`${b?"L":"M"}${h(f).toFixed(1)} ${d(o(f)).toFixed(1)}`).join(""),u=c("div","curve");return u.innerHTML=`<svg viewBox="-6 -6 ${a+12} ${l+12}" role="img"
    aria-label="${n} at ${D(e)} is ${D(o(e))}">
    <path class="axis" d="M0 ${d(0)}H${a}M${h(0)} 0V${l}"/><path class="graph" d="${p}"/>
    <path class="drop" d="M${h(e)} ${d(0)}V${d(o(e))}H${h(0)}"/>
    <circle cx="${h(e)}" cy="${d(o(e))}" r="4.5"/></svg>`,u.append(c("span","",`${n==="relu"?"ReLU":"GELU"}(${D(e)}) = ${D(o(e))}`)),u}function Ap(n){let e=1/(1+.3275911*Math.abs(n)),t=e*(.254829592+e*(-.284496736+e*(1.421413741+e*(-1.453152027+e*1.061405429))));return Math.sign(n)*(1-t*Math.exp(-n*n))}var xp,kp,Gl,mn,vp,Tp,Ep,Cp,jl,Fl,pn,sr=w(()=>{je();S();xp=400,kp=640,Gl="playground worked cell",mn=9,vp=1e-4,Tp=.01,Ep="The model's own number differs from this calculation, by more than rounding.",Cp="The model computes with about 7 digits (float32). This calculation uses 16, so small numbers can differ.",jl={axis:"",labels:"",names:null,first:0,count:1,size:1},Fl=new WeakMap,pn=class{root;onFold;where=c("div","where");folder=E("folder","",()=>this.fold(!this.folded),{ariaKeyShortcuts:"e",ariaLabel:"Calculation of the cell"});folded=innerWidth<=kp;strips=c("div","strips");lines=c("div","lines wrap");live=c("div","live unseen",{ariaLive:"polite"});tiles=[];theme;parameters=[];cell=null;speaking;hint="";constructor(e,t){this.root=e,this.onFold=t;let o=ht("sessionStorage",Gl);o&&(this.folded=o==="folded"),e.setAttribute("aria-label","How the cell was computed"),e.append(c("div","head",this.folder,this.where),this.strips,this.lines,this.live),this.showFolded()}fold(e){this.folded=e,Rt("sessionStorage",Gl,e?"folded":"open"),this.showFolded(),this.onFold()}showFolded(){let{folder:e,folded:t}=this;this.root.classList.toggle("folded",t),e.textContent=t?"▸":"▾",e.title=`${t?"Show":"Hide"} the calculation. Key e`,e.ariaExpanded=String(!t)}expect(e,t){for(this.theme=t,this.parameters=e,this.strips.classList.toggle("none",!e.length);this.tiles.length<e.length;){let o=Vt(this.strips);o.node.removeAttribute("role"),o.node.tabIndex=-1,o.scroller.tabIndex=0,o.scroller.addEventListener("scroll",()=>o.viewport&&te(o,this.theme),{passive:!0}),this.tiles.push(o)}for(;this.tiles.length>e.length;)this.tiles.pop()?.node.remove();this.clear()}clear(){this.cell=null,this.root.classList.remove("waiting"),this.where.replaceChildren(c("span","hint",this.hint)),this.lines.replaceChildren(),this.showStrips([]),this.speak("")}point(e,t,o,s=()=>{}){let r=[c("span","position cut",e),c("b","value",e&&t?` = ${t}`:t)];o&&r.push(E("unlock","Unpin",s,{title:"Escape"})),this.where.replaceChildren(...r),this.root.classList.add("waiting")}value(e,t){this.point(e,t,!1),this.root.classList.remove("waiting")}bare(e){this.cell=null,this.root.classList.remove("waiting"),this.lines.replaceChildren(),this.showStrips([]),this.speak(e)}tell(e,t,o){if(this.root.classList.remove("waiting"),this.cell===e)return;if(this.cell=e,e.problem){this.lines.replaceChildren(c("p","problem",e.problem)),this.showStrips([]);return}let[s,...r]=[...e.lines].reverse(),i=r.reverse().sort((d,m)=>Number(Ul(d))-Number(Ul(m))),a=[s,...i].map(Sp);e.curve&&a.push($p(...e.curve)),e.remark&&a.push(c("p","small soft",e.remark));let l=Math.abs(Number(o)-Number(s.value)),h=Math.max(...[o,s.value,...s.terms.map(d=>d.at(-1))].map(d=>Math.abs(Number(d))));l>Tp*h?a.push(c("p","small soft",Ep)):l>vp*Math.abs(Number(s.value))&&a.push(c("p","small soft",Cp)),this.lines.replaceChildren(...a),this.showStrips(e.strips),this.speak(t&&`${t} = ${Mp(s)}`)}speak(e){clearTimeout(this.speaking),!(!e||e===this.live.textContent)&&(this.speaking=setTimeout(()=>this.live.textContent=e,xp))}showStrips(e){let t=this.tiles.filter((o,s)=>{let{name:r,title:i}=this.parameters[s],a=e.find(d=>d.tensor===r);if(o.title.textContent=a?a.title:i,o.node.classList.toggle("empty",!a),!a)return!1;let l=Math.max(...a.values.map(Math.abs))||1,h=a.values.length;return o.grid={strip:!0,kind:"signed",title:a.title,rows:1,columns:h,values:Float32Array.from(a.values),row:jl,column:jl,marked:null,coloured:!0,most:l,whole:!1,hidden:null},Ae(o,this.theme),o.axes="",o.node.style.flex=h>1?"1 1 0":"none",Jt(o,this.theme),!0});for(let o of t)We(o,be(o,0,1/0),1/0,0);for(let o of t)We(o,o.box,1/0,0),o.scroller.scrollLeft=0,te(o,this.theme)}progress(e,t,o){let r=[...this.lines.querySelectorAll(".terms")].find(h=>Fl.get(h)===e);if(!r)return;this.root.classList.add("making"),r.style.setProperty("--done",`${(t+1)*mn}ch`),r.classList.add("growing");let i=r.querySelector("pre"),a=i&&r.clientWidth&&i.offsetWidth/((e.terms.length+1)*mn);r.scrollLeft=Math.max(0,(t+2)*mn*(a??0)-r.clientWidth);let l=this.where.querySelector(".value");l&&(l.textContent=e.name?` · ${e.name} so far ${o}`:` = ${o} so far`)}grown(){this.root.classList.remove("making");for(let e of this.lines.querySelectorAll(".growing"))e.classList.remove("growing")}}});var Vl={};x(Vl,{play:()=>ar,scene:()=>ir});function ir(n,e){let{expression:t}=n;return{blank(o){n.made=o,n.repaint()},light(o,s){n.pointed=o,n.marks.clear(),n.showInputs();let r=n.find(o);r&&n.marks.cross(r,!1),n.sources(s),t.point(n.whereOf(o),"…",!1),t.tell(s,n.inWords(o))},progress:(o,s,r)=>t.progress(o,s,r),landed(o,s){t.grown(),t.value(n.whereOf(o),s)},cell:()=>n.find(e),say:o=>n.nodes.announcement.textContent=o}}async function ar(n,e,t,o){let s=Y(),r=m=>new Promise(p=>{let u=setTimeout(p,m);o.addEventListener("abort",()=>(clearTimeout(u),p()),{once:!0})});n.blank(()=>!1),n.light(e,t),n.say("These are the numbers it is computed from.");let i=[...t.lines].reverse().find(m=>m.terms.length)??null;if(i&&n.progress(i,0,"…"),await r(rr),i&&!o.aborted){let m=Hp(i),p=i.terms.length,u=Math.min(Op,Rp/p),f=s?p:Math.max(1,Math.round(16/u));for(let b=f;!o.aborted&&(n.progress(i,b,m?D(m[b-1]):"…"),n.say(`${b} of ${p} terms${i.name?` of ${i.name}`:""}${m?`, so far ${D(m[b-1])}`:""}.`),await r(s?rr:u*f),!(b>=p));b=Math.min(p,b+f));}if(o.aborted)return;let a=n.cell();if(!a)return;let{grid:l,row:h,column:d}=a;n.blank((m,p,u)=>m===e.head&&p===h&&u===d),n.landed(e,xe(l,h*l.columns+d)),n.say("This is its value. All other cells are computed the same way."),await r(rr);for(let m=1;!s&&m<l.rows&&!o.aborted;m++)n.blank((p,u,f)=>u<m||p===e.head&&u===h&&f===d),await r(Np/l.rows)}function Hp(n){let e=n.terms.map(o=>o.at(-1)??-1/0),t=o=>e.reduce((s,r)=>[...s,s.length?o(s[s.length-1],r):r],[]);return n.name&&e.length>1&&Math.max(...e)===(n.value??-1/0)?t(Math.max):e.every(Number.isFinite)?t((o,s)=>o+s):null}var rr,Rp,Op,Np,lr=w(()=>{Q();S();rr=900,Rp=3200,Op=420,Np=1600});var Jl={};x(Jl,{frame:()=>cr,write:()=>un});function un(n,e){for(let t of n.children)t.classList.toggle("unused",t.textContent!==e)}function cr(n,e){let t=(a,l,h)=>{let d=c("button","",...[a].flat().map((m,p)=>c("span",p?"unused":"",m)));return h&&Object.assign(d,{ariaKeyShortcuts:h,title:`Key ${h}`}),d.addEventListener("click",l),d},o={tableButton:t(["Show as table","Show as heatmap"],e.table,"t"),playButton:t(["Compute slowly","Stop"],e.compute,"p"),allButton:t("All heads",e.all,"0"),announcement:c("span","announcement cut",{role:"status"}),clipboard:c("textarea","clipboard",{readOnly:!0,hidden:!0,ariaLabel:"The numbers, to copy"}),inputs:c("div","area inputs wrap"),arrow:c("div","arrow",{ariaHidden:"true"}),outputs:c("div","area outputs wrap"),tables:c("div","tables"),legend:c("div","legend wrap"),panel:c("section","expression")},s=[t("Copy as text",e.text),t("Copy as NumPy",e.numpy)],r=c("div","actions wrap",o.tableButton,o.playButton,...s,o.announcement,o.allButton),i=c("div","sides",o.inputs,o.arrow,o.outputs);return n.append(r,o.clipboard,i,o.tables,o.legend,o.panel),{sides:i,...o}}var hr=w(()=>{S()});var Xl={};x(Xl,{Looks:()=>fn});var fn,dr=w(()=>{fn=class{now={table:!1,head:null,cell:null};received="";reported=[];adopt(e,t){let o=JSON.stringify(e),s=this.reported.indexOf(o);s>=0&&this.reported.splice(0,s+1),(s<0?t||o!==this.received:!this.reported.length)&&(this.now=e,this.reported=[]),this.received=o}change(e){return this.now={...this.now,...e},this.reported.push(JSON.stringify(this.now)),this.now}}});var Ql,Yl=w(()=>{Ql=`/* Heatmaps whose rows light together, each head with its caption. */
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
`});var Zl={};x(Zl,{default:()=>Wp});var Pp,Ip,Dp,Bp,Wp,mr,ec=w(()=>{Oe();I();kt();Yl();Q();ee();ot();st();Me();je();V();O();S();Pp=270,Ip=480,Dp=600,Bp=30,Wp=C([U,M,ge,Ql],n=>new mr(n),(n,{data:e,setTriggerValue:t})=>{n.tell=t,n.show(j(e))}),mr=class{root;box;announcement=c("div","announcement small",{role:"status"});area=c("div","area");sizes=new ResizeObserver(()=>this.room()!==this.width&&this.layOut());tell=()=>{};groups=[];cursors=new WeakMap;at=null;width=0;before=0;uncovered="";data;constructor(e){this.root=e,this.box=e.querySelector(".maps"),this.box.append(this.announcement,this.area),this.area.addEventListener("pointermove",t=>this.point(this.below(t))),this.area.addEventListener("pointerleave",()=>this.point(null)),this.area.addEventListener("click",t=>this.choose(this.below(t))),this.area.addEventListener("keydown",t=>this.press(t)),this.area.addEventListener("focusin",t=>this.enter(t.target)),this.area.addEventListener("focusout",()=>this.point(null)),this.sizes.observe(this.box)}close(){this.sizes.disconnect(),this.box.replaceChildren()}show(e){this.data=e,this.area.classList.toggle("beside",!e.opens);let{tensors:t}=e;for(;this.groups.length<t.length;)this.groups.push(new J(this.area));for(;this.groups.length>t.length;)this.groups.pop()?.remove();let o=z(this.root);this.groups.forEach((s,r)=>{let i=t[r],a=Array.from(i.values).reduce((l,h)=>Number.isFinite(h)?Math.max(l,Math.abs(h)):l,0);i.scale=a||1,s.fill(i,le(i),{},o,null),s.tiles.forEach((l,h)=>{let d=l.node.getAttribute("aria-label")??"";l.node.setAttribute("aria-label",d.replace(" Enter locks.",e.chooses?" Enter chooses the cell.":"")),this.foot(l,i,r,h);let{rows:m,columns:p}=l.grid,u=e.held&&l.room?l.room:{rows:m,columns:p};l.room={rows:Math.max(m,u.rows),columns:Math.max(p,u.columns)}})}),this.layOut(),this.uncover()}uncover(){let{chosen:e}=this.data,t=this.uncovered;if(this.uncovered=`${e}`,!e||!t||this.uncovered===t)return;let{node:o}=this.groups[e[0]].tiles[e[1]];o.classList.add("uncovered"),o.scrollIntoView({block:"nearest",behavior:Y()?"auto":"smooth"}),o.classList.remove("uncovered")}foot(e,t,o,s){let r=this.data.notes[o]?.[s],i=JSON.stringify([r,this.data.opens,t.name,t.title]),a=e.node.querySelector(":scope > .foot");if(a?.dataset.key===i)return;a?.remove();let l=c("div","foot small");l.dataset.key=i;let h=r?.text?c("span","term",r.text,{tabIndex:0,role:"button"}):null;if(h?.setAttribute("aria-description",r.help),r&&l.append(c("div","role-of",h)),this.data.opens){let d={title:"Open this head in Step through",ariaLabel:`Open in Step through: ${t.title}, head ${s+1}`};l.append(E("small-button","Open",()=>this.tell("open",[t.name,s]),d))}l.children.length&&e.node.append(l)}room(){let e=this.box.clientWidth;return e===this.before&&e>this.width&&e<this.width+Bp?this.width:e}layOut(){if([this.before,this.width]=[this.width,this.room()],!this.width)return;let e=z(this.root);for(let t of this.groups)Yt(t,this.width,this.width<Dp?Ip:Pp,e);this.light()}below({clientX:e,clientY:t}){for(let[o,{tiles:s}]of this.groups.entries())for(let[r,i]of s.entries()){let a=Ge(i,e,t);if(a)return{group:o,tile:r,...a};let l=i.layer.getBoundingClientRect(),h=Ge(i,l.left+i.box.gutter+1,t);if(h&&e>=l.left&&e<l.left+i.box.gutter)return{group:o,tile:r,row:h.row,column:null}}return null}point(e){this.at=e,this.light()}light(){let{at:e,data:t}=this,o=e&&this.groups[e.group].tensor.rows;this.groups.forEach((s,r)=>{let{rows:i}=s.tensor,a=o&&i.axis===o.axis&&e.row<i.count?e.row:null;s.tiles.forEach((l,h)=>{let d=[],m=(u,f,b,g=1)=>d.push({name:u,rows:[f,f+1],columns:[b,b+g]});a!==null&&m("row",a,0,l.grid.columns);let{chosen:p}=t;p&&p[0]===r&&p[1]===h&&m("chosen",p[2],p[3]),e&&e.group===r&&e.tile===h&&e.column!==null&&m("cell",e.row,e.column),l.box&&Re(l,d)})}),v(this.announcement,e?this.words(e):"")}words({group:e,tile:t,row:o,column:s}){let{tensor:r,tiles:i}=this.groups[e],{grid:a}=i[t],[l,h,d]=this.data.words,m=[r.title,a.title,pe(l,a.row,o)].filter(Boolean).join(", ");return s===null?m:`${m}, ${pe(h,a.column,s)}: ${d} ${xe(a,o*a.columns+s)}`}choose(e){!this.data.chooses||!e||e.column===null||this.tell("pair",[this.data.tensors[e.group].name,e.tile,e.row,e.column])}enter(e){for(let[t,{tiles:o}]of this.groups.entries()){let s=o.findIndex(h=>h.node===e);if(s<0)continue;let{grid:r,node:i}=o[s],{row:a,column:l}=this.cursors.get(i)??{row:0,column:0};this.point({group:t,tile:s,row:Math.min(a,r.rows-1),column:Math.min(l,r.columns-1)})}}press(e){let{at:t}=this,o=t&&this.groups[t.group].tiles[t.tile];if(!o||o.node!==e.target||t.column===null)return;if(e.key==="Enter")return this.choose(t);let s=Kt[e.key];if(!s||e.ctrlKey||e.metaKey||e.altKey)return;K(e);let r=(a,l)=>Math.max(0,Math.min(l-1,a)),i={row:r(t.row+s[0],o.grid.rows),column:r(t.column+s[1],o.grid.columns)};this.cursors.set(o.node,i),nt(o,i.row,i.column),this.point({...t,...i})}}});var nc={};x(nc,{asNumpy:()=>br,asText:()=>gr,copy:()=>wr,tableCell:()=>so,tables:()=>ur,tint:()=>fr});function ur(n){return n.flatMap(e=>e.grids.map(t=>{let o=[e.tensor.title,t.title,e.note].filter(Boolean).join(", "),s=[t.row.axis&&`${t.row.axis} ↓`,t.column.axis&&`${t.column.axis} →`].filter(Boolean).join(" "),r=(l,h)=>Array.from({length:h},(d,m)=>ne(l,m)),i=Array.from({length:t.rows},(l,h)=>Array.from({length:t.columns},(d,m)=>{let p=h*t.columns+m;return c("td",t.hidden?.[p]||t.values[p]===-1/0?"hidden":"",vo(t,p))})),a=rt(o,i,{rows:r(t.row,t.rows),columns:r(t.column,t.columns),caption:o,corner:s});return t.marked!==null&&a.querySelector("tbody")?.rows[t.marked].classList.add("marked"),Object.assign(a,{grid:t})}))}function fr(n,e){for(let o of n.querySelectorAll(`.${pr}`))o.classList.remove(pr);let t=n.querySelector("tbody")?.rows??[];for(let o of e.filter(({name:s})=>s!=="cross"))for(let s=Math.max(0,o.rows[0]);s<Math.min(t.length,o.rows[1]);s++){let r=t[s].cells;for(let i=Math.max(0,o.columns[0]);i<Math.min(r.length-1,o.columns[1]);i++)r[i+1].classList.add(pr)}}function so(n){let e=n instanceof Element?n.closest("tbody td"):null;return e&&{row:e.parentNode.sectionRowIndex,column:e.cellIndex-1}}function gr(n,e){return e.map(t=>{let o=["",...Array.from({length:t.columns},(r,i)=>ne(t.column,i))].join("	"),s=Array.from({length:t.rows},(r,i)=>{let a=tc(t,i).map(l=>t.whole?String(l):D(l));return[ne(t.row,i),...a].join("	")});return[[n.title,t.title].filter(Boolean).join(", "),o,...s].join(`
`)}).join(`

`)}function br(n,e){let t=n.kind==="mask"?"bool":n.whole?"int64":"float32",o=l=>t==="bool"?l?"True":"False":l===-1/0?"-np.inf":Gp(l),s=(l,h)=>`[${Array.from({length:l.rows},(m,p)=>`[${tc(l,p).map(o).join(", ")}]`).join(`,
${h} `)}]`,r=n.heads?`[${e.map(l=>s(l,"           ")).join(`,
          `)}]`:s(e[0],"          "),i=n.heads?pt("heads",{first:e[0].head,count:e.length,size:n.heads.size},1):"";return`# ${[n.name,i,pt("columns",n.columns,0)].filter(Boolean).join(", ")}
np.array(${r}, dtype=np.${t==="bool"?"bool_":t})
`}function tc(n,e){return Array.from(n.values.subarray(e*n.columns,(e+1)*n.columns))}function Gp(n){for(let e=6;e<9;e++){let t=String(Number(n.toPrecision(e)));if(Math.fround(Number(t))===n)return t}return String(Number(n.toPrecision(9)))}async function wr(n,e){try{return await navigator.clipboard.writeText(n),"Copied."}catch{return e.value=n,e.hidden=!1,e.focus(),e.select(),"Press Ctrl+C to copy."}}var pr,ro=w(()=>{S();tn();pr="chosen"});var oc={};x(oc,{Marks:()=>gn});function yr({tensor:n,head:e,slope:t}){return`${n.index} ${e} ${t}`}var jp,Up,_p,gn,xr=w(()=>{ro();je();[jp,Up,_p]=[1,2,3],gn=class{regions=new Map;clear(){this.regions.clear()}cross({grid:e,row:t,column:o},s){let[r,i]=[[t,t+1],[o,o+1]];s||(this.add(e,{name:"cross",rows:r,columns:[0,e.columns]}),this.add(e,{name:"cross",rows:[0,e.rows],columns:i})),this.add(e,{name:s?"cell faint":"cell",rows:r,columns:i})}source({tensor:e,grids:t},o){let s=(m,p)=>o[e.axes.indexOf(m)]??[0,p],[r,i]=s(jp,1/0),a=s(Up,e.rows.count),[l,h]=s(_p,e.columns.size).map(m=>m-e.columns.first),d=[Math.max(0,l),Math.min(e.columns.count,h)];if(!(d[0]>=d[1]))for(let m of t)!m.slope&&m.head>=r&&m.head<i&&this.add(m,{name:"source",rows:a,columns:d})}add(e,t){let o=yr(e);this.regions.set(o,[...this.regions.get(o)??[],t])}paintTables(e){for(let t of e)fr(t,this.regions.get(yr(t.grid))??[])}paintTiles(e,t){for(let o of e)for(let s of o.tiles){let r=this.regions.get(yr(s.grid))??[],i=r.find(({name:a})=>a==="source");i&&t!==o.tensor.index&&nt(s,i.rows[0],i.columns[0]),Re(s,r),s.marks.classList.toggle("veiled",r.length===1&&r[0].name==="source")}}}});var rc,sc=w(()=>{rc=`/* Matrices of a lesson stand beside each other where there is room. */
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
`});var ac={};x(ac,{default:()=>Vp});function Vp({data:n,parentElement:e}){Pe(e,[U,M,_n,St,rc]);let{tensors:t,labels:o,styles:s}=j(n),r=z(e);e.querySelector(".matrices").replaceChildren(...t.map((a,l)=>Jp(a,o,s[l],r)))}function Jp(n,e,{digits:t,names:o,letter:s},r){let{rows:i,columns:a,heads:l}=n,h=c("figcaption","",c("b","",n.title)," ",c("span","shape small soft",ic(n,s))),d=Array.from({length:l?.count??1},(m,p)=>{let u=o[p]?c("div","small soft",o[p]):null,f=i.count*a.count<=qp?Xp(n,p,{digits:t,names:o},e,r):Ct(n,r,{head:p,long:Kp,most:n.scale,label:`${n.title}, ${ic(n,s)}, as a picture`});return c("div","",u,f)});return c("figure","",h,c("div","heads wrap",...d))}function ic({rows:n,columns:e,heads:t},o){let s=[...t?[{axis:o,count:t.count}]:[],n,e],r=s.filter(({axis:l})=>l),i=r.length&&s.every(({axis:l,count:h})=>l||h===1),a=(l,h)=>l.map(({count:d})=>d).join(h);return i?`(${r.map(({axis:l})=>l).join(", ")}) = (${a(r,", ")})`:a(s," × ")}function Xp(n,e,{digits:t,names:o},s,r){let{rows:i,columns:a,values:l,kind:h,title:d}=n,m=e*i.count*a.count,p={kind:h,coloured:!0,most:n.scale||1},u=Array.from({length:i.count},(b,g)=>Array.from({length:a.count},(T,$)=>{let y=l[m+g*a.count+$],R=c("td","",Yp(y,h,t)),k=zn(p,y,r);return R.style.background=q(Array.from(k)),R.style.color=Ut(k),R})),f=[d,o[e],"table"].filter(Boolean).join(", ");return rt(f,u,{rows:s[i.labels]?.names,columns:s[a.labels]?.names})}function Yp(n,e,t){if(Number.isNaN(n))return"nan";if(n===-1/0)return"−∞";if(e==="mask")return n?"1":"0";let o=n.toFixed(t);return(Number(o)===0?o.replace("-",""):o).replace("-","−")}var qp,Kp,lc=w(()=>{Oe();I();ys();qn();sc();Q();ee();Me();S();tn();Fn();qp=160,Kp=320});var cc={};x(cc,{default:()=>Qp,statement:()=>io});function Zp(n,e){let t=c("span","line");return t.dataset.number=String(n),t.innerHTML=e||"​",t.style.setProperty("--in",String(t.textContent.search(/\S|$/)+2)),t}var at,io,Qp,kr,vr=w(()=>{Q();Ce();O();S();at=!1,io=new Ee,Qp=C(se,n=>new kr(n),()=>{}),kr=class{lines=c("code","lines");box=c("div","box",this.lines,{tabIndex:0,role:"region"});where=c("span","where");name=c("span","name cut");all=E("small-button","Show all",()=>{at=!at,this.arrange(!1)});figure=c("figure","statement",this.box,c("figcaption","",this.where,this.name,this.all));content="";rows=[];lit=[];observer=new ResizeObserver(()=>this.arrange(!1));unwatch;constructor(e){e.append(this.figure),this.observer.observe(this.lines),this.unwatch=io.watch(t=>t&&this.draw(t))}close(){this.observer.disconnect(),this.unwatch(),this.figure.remove()}draw({html:e,first:t,lit:o,where:s,function:r}){let i=`${t}:${e}`,a=this.content===i;a||(this.content=i,this.rows=e.split(`
`).map((l,h)=>Zp(t+h,l)),this.lines.replaceChildren(...this.rows),this.box.ariaLabel=`Source of ${r||"the statement"}`),this.lit=this.rows.slice(Math.max(0,o[0]-t),o[1]-t+1);for(let l of this.rows){let h=this.lit.includes(l);l.classList.toggle("lit",h),l.classList.toggle("begin",l===this.lit[0]),l.ariaCurrent=h?"true":null}this.where.textContent=s,this.name.textContent=r,this.arrange(a)}arrange(e){let{box:t,all:o,lit:s}=this;if(t.classList.toggle("whole",at),o.textContent=at?"Show less":"Show all",o.ariaExpanded=String(at),o.classList.toggle("unused",!at&&t.scrollHeight<=t.clientHeight+1),at||!s.length)return;let[r,i]=[s[0].offsetTop,s[s.length-1]],a=i.offsetTop+i.offsetHeight-r,l=Math.max(0,(t.clientHeight-a)/2);t.scrollTo({top:r-l,behavior:e&&!Y()?"smooth":"auto"})}}});var ao,Tr=w(()=>{ao=`.tensors {
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
`});var dc={};x(dc,{Tensors:()=>co,default:()=>au});function Er(n,e){return!n||!e?!1:["tensor","head","row","column","slope"].every(t=>n[t]===e[t])}var tu,nu,lo,hc,ou,su,ru,iu,au,co,mc=w(()=>{I();kt();Tr();qn();or();ee();sr();hr();ot();dn();V();st();to();dr();xr();Me();lr();fe();vr();ro();je();O();S();tu=24,nu=24,lo=144,hc=640,ou=150,su=1500,ru=2500,iu="Point at a cell of the output to see how it was computed. Click to keep it.",au=C([M,ge,St,ao],n=>new co(n),(n,e)=>{n.report=o=>e.setStateValue("look",{...o,at:Date.now()}),n.missed=o=>e.setTriggerValue("gone",o);let t=j(e.data);n.show(t),Ys(n,t.way,e)}),co=class{host;root;nodes;result;expression;observer=new ResizeObserver(()=>this.room()!==this.width&&this.layout());settling=new ResizeObserver(()=>this.height!==this.below(this.nodes.sides,"top")&&this.layout({held:!1}));missing="";given=[];groups=[];frames=[];looks=new fn;marks=new gn;pointed=null;shownHead=null;asker=tr();data;output;theme;width=0;before=0;height=0;heldBy="";playing=null;made=null;report;missed;closing=new AbortController;leaving=0;asking=0;saying=0;constructor(e){this.host=e.host??e,this.root=e.querySelector(".tensors"),this.nodes=cr(this.root,{table:()=>this.change({table:!this.look.table}),compute:()=>this.compute(),text:()=>this.copy(gr),numpy:()=>this.copy(br),all:()=>this.change({head:null})}),this.result=new J(this.nodes.outputs),this.expression=new pn(this.nodes.panel,()=>this.unfolded()),this.expression.hint=iu,this.listen(),this.observer.observe(this.root);let t=this.closing.signal;document.fonts.status!=="loaded"&&document.fonts.ready.then(()=>t.aborted||this.layout());let o=this.host;for(;o&&!o.matches(oe);o=o.parentElement)this.settling.observe(o);for(let s of["pointerdown","keydown"])document.addEventListener(s,()=>this.settling.disconnect(),{signal:t,capture:!0,once:!0});this.watchSharpness()}listen(){let e=this.closing.signal,t=(o,s,r,i={})=>{for(let a of s)o.addEventListener(a,r,{signal:e,...i})};for(let o of[this.nodes.inputs,this.nodes.outputs,this.nodes.tables])t(o,["pointermove","pointerdown"],s=>this.point(this.cellOf(s))),t(o,["pointerleave"],s=>s.pointerType!=="touch"&&this.point(null)),t(o,["click"],s=>this.toggle(this.cellOf(s)));for(let o of[this.nodes.inputs,this.nodes.outputs])t(o,["pointerdown"],s=>s.target.closest('[tabindex="0"]')?.focus({preventScroll:!0})),t(o,["focusout"],s=>this.nodes.sides.contains(s.relatedTarget)||this.point(null)),t(o,["keydown"],s=>this.press(s)),t(o,["dblclick"],s=>this.solo(this.tileOf(s.target,"node")?.grid.head)),t(o,["scroll"],s=>this.scrolled(s.target),{capture:!0,passive:!0});t(document,["keydown"],o=>this.key(o)),t(document,["pointerdown"],o=>this.outside(o)),t(this.nodes.clipboard,["blur"],()=>this.nodes.clipboard.hidden=!0)}close(){Qs(this),this.root.replaceChildren(),this.closing.abort(),this.stop(),this.observer.disconnect(),this.settling.disconnect()}watchSharpness(){let e=matchMedia(`(resolution: ${devicePixelRatio}dppx)`),t=()=>{this.layout(),this.watchSharpness()};e.addEventListener("change",t,{once:!0,signal:this.closing.signal})}show(e){let t=e.operation!==this.data?.operation;this.stop(),this.data=e,this.looks.adopt(e.look,t);let o=z(this.host),s=JSON.stringify(o)!==JSON.stringify(this.theme);this.theme=o,t&&(this.pointed=null,this.shownHead=null),this.asker.forget(),(t||s)&&this.expression.expect(e.parameters,this.theme),this.compose(),io.set(this,e.statement),e.problem&&this.say(e.problem)}get look(){return this.looks.now}change(e){this.stop(),this.report(this.looks.change(e)),this.compose()}compose(){let{tensors:e}=this.data,t=e.find(i=>i.output);if(!t)throw new Error("An operation has an output.");this.output=t;let o=i=>{if(!i.heads)return[0];let a=le(i);return!i.output&&t.heads?[this.head()]:this.look.head!==null&&a.includes(this.look.head)?[this.look.head]:a};for(;this.given.length<e.length-1;)this.given.push(new J(this.nodes.inputs));for(;this.given.length>e.length-1;)this.given.pop()?.remove();this.groups=[...this.given,this.result],this.groups.forEach((i,a)=>this.fill(i,e[a],o(e[a])));let s=this.groups.flatMap(i=>i.grids),r=s.filter(i=>!i.slope);this.nodes.legend.replaceChildren(...cn(r,s.filter(i=>i.slope),this.theme)),this.nodes.arrow.hidden=e.length===1,this.root.classList.toggle("as-table",this.look.table),un(this.nodes.tableButton,this.look.table?"Show as heatmap":"Show as table"),this.nodes.allButton.classList.toggle("unused",this.look.head===null||!t.heads),this.nodes.playButton.disabled=this.look.table,this.frames=this.look.table?ur(this.groups):[],this.nodes.tables.replaceChildren(...this.frames),this.layout()}fill(e,t,o){let s=r=>this.change({...r,cell:null,..."heads"in r&&{head:null}});e.fill(t,o,{...this.data.fold,go:s},this.theme,t.output?this.made:null)}head(){let{first:e,count:t}=this.output.heads??{first:0,count:1},o=i=>i!=null&&i>=e&&i<e+t,s=this.pointed?.tensor===this.output.index?this.pointed.head:null;return[this.look.head,this.locked()?.head,s,this.shownHead].find(o)??e}showInputs(){if(!this.output.heads)return;let e=this.head();this.shownHead=e;for(let t of this.groups){let{tensor:o}=t;if(!(o.output||!o.heads||t.grids[0].head===e)){this.fill(t,o,[e]);for(let s of t.tiles)Ae(s,this.theme),te(s,this.theme);this.look.table&&this.compose()}}}room(){let e=this.root.clientWidth;return e===this.before&&e>this.width&&e<this.width+tu?this.width:e}layout({held:e=!0}={}){let t=this.room();if(t!==this.width&&([this.before,this.width]=[this.width,t]),!this.width||!this.data)return;this.theme=z(this.host);let{nodes:o,given:s,result:r,data:i,theme:a}=this;this.height=this.below(o.sides,"top");let l=this.held()&&e;this.look.table||ms(o,s,r,this.width,this.rooms(),l,i.most,a),this.fitExpression(),this.light()}below(e,t){return innerHeight-e.getBoundingClientRect()[t]-(this.host.closest(oe)?.scrollTop??0)-nu}unfolded(){this.layout(),innerWidth<=hc&&!this.expression.folded&&this.nodes.panel.scrollIntoView({block:"nearest"})}rooms(){let e=this.height-this.nodes.legend.offsetHeight,t=this.expression.folded?lo/4:lo;return[e-t,e-lo/4]}held(){let e=JSON.stringify([this.data.operation,this.data.reads,this.width,innerHeight,this.theme,{...this.look,cell:null}]),t=e===this.heldBy;return this.heldBy=e,t}fitExpression(){let e=document.documentElement.hasAttribute("data-present"),t=Math.floor(this.below(this.nodes.legend,"bottom")),{style:o}=this.nodes.panel,s=e?parseFloat(getComputedStyle(this.nodes.panel).minHeight):lo,r=t>=s?`${t}px`:"";o.setProperty("--expression-most",e?r||"none":""),o.setProperty("--expression-height",e||innerWidth<=hc?"":r)}scrolled(e){let t=this.tileOf(e,"scroller");t?.viewport&&(te(t,this.theme),Re(t,t.lit))}tileOf(e,t="layer"){return this.groups.flatMap(({tiles:o})=>o).find(o=>o[t].contains(e))}cellOf(e){let t=this.tileOf(e.target),o=t?Ge(t,e.clientX,e.clientY):so(e.target),s=t??e.target.closest(".matrix");return s&&o?this.absolute(s.grid,o):null}absolute(e,{row:t,column:o}){let{tensor:s,head:r,slope:i}=e;return{tensor:s.index,head:r,row:t,column:o+s.columns.first,slope:i}}find(e){let t=this.groups[e.tensor],o=t?t.grids.findIndex(i=>i.head===e.head&&i.slope===e.slope):-1;if(o<0)return null;let s=t.grids[o],r=e.column-s.tensor.columns.first;return r<0||r>=s.columns||e.row>=s.rows?null:{tile:t.tiles[o],grid:s,row:e.row,column:r}}locked(){let{cell:e}=this.look;if(!e)return null;let[t,o,s=0]=[...e].reverse();return{tensor:this.output.index,head:s,row:o,column:t,slope:!1}}point(e){this.playing||(clearTimeout(this.leaving),!e&&this.pointed?this.leaving=setTimeout(()=>{this.pointed=null,this.light()},ou):e&&!Er(e,this.pointed)&&(this.pointed=e,this.light()))}toggle(e){if(this.playing)return this.stop();if(!e)return;if(e.tensor!==this.output.index)return this.unlock();if(Er({...e,slope:!1},this.locked()))return this.unlock();let t=[e.row,e.column];this.change({cell:this.output.heads?[e.head,...t]:t})}unlock(){this.look.cell&&this.change({cell:null})}outside(e){let t=e.composedPath();if(t.includes(this.nodes.sides)&&this.tileOf(t[0])||t.includes(this.nodes.tables)&&so(t[0]))return;t.includes(this.root)||this.point(null);let o="button, a, input, textarea, select, label, summary, [role=button], [role=slider], [role=listbox], [role=option], [role=combobox], [role=tab], [data-part], .expression, .scroller";t.some(s=>s instanceof Element&&s.matches(o))||this.unlock()}solo(e){!this.output.heads||e===void 0||(getSelection()?.removeAllRanges(),this.alone(this.look.head===e?null:e))}alone(e){let{cell:t}=this.look;this.change({head:e,cell:t&&e!==null?[e,...t.slice(1)]:t})}press(e){let t=this.tileOf(e.target,"node");if(!t||e.ctrlKey||e.altKey||e.metaKey)return;let{grid:o}=t,s=Kt[e.key],r=[this.pointed,this.locked()].find(m=>m&&this.find(m)?.tile===t);if(e.key==="Enter"&&r)return K(e),this.pointed=r,this.toggle(r);if(!s)return;K(e);let i=r??[this.locked(),this.pointed].find(m=>m?.tensor===o.tensor.index),a=i&&this.find({...i,head:o.head,slope:o.slope})||{row:0-s[0],column:0-s[1]},l=Math.min(Math.max(a.row+s[0],0),o.rows-1),h=Math.min(Math.max(a.column+s[1],0),o.columns-1);nt(t,l,h);let d=this.absolute(o,{row:l,column:h});if(this.look.cell&&d.tensor===this.output.index&&!d.slope)return this.pointed=d,this.change({cell:this.output.heads?[d.head,d.row,d.column]:[d.row,d.column]});this.point(d)}key(e){if(!(!this.data||!F(e))){if(e.key==="Escape")if(this.playing)this.stop();else if(this.look.cell)this.unlock();else return this.point(null);else if(e.key==="t")this.change({table:!this.look.table});else if(e.key==="p")this.compute();else if(e.key==="e")this.expression.fold(!this.expression.folded);else if(e.key==="0")this.look.head!==null&&this.change({head:null});else if(e.key>="1"&&e.key<="9"&&e.key.length===1){let t=Number(e.key)-1;this.output.heads&&t<this.output.heads.size&&this.look.head!==t&&this.alone(t)}else return;e.preventDefault()}}light(){if(this.playing)return;let e=this.locked(),t=e||this.pointed?null:this.example(),o=e??this.pointed??t;this.showInputs();let s=o&&this.find(o);this.marks.clear();let r=this.pointed&&e&&!Er(this.pointed,e)&&this.find(this.pointed);if(r&&this.marks.cross(r,!0),!o||!s&&!e)return this.asker.forget(),this.paint(),this.expression.clear();s&&this.marks.cross(s,!1),this.paint();let i=this.whereOf(o),a=s?xe(s.grid,s.row*s.grid.columns+s.column):"",l=this.output.slopes?"Example of the forward pass":"Example";if(this.expression.point(t?`${l}: ${i}`:i,a,!!e,()=>this.unlock()),o.tensor!==this.output.index||o.slope)return this.asker.forget(),this.expression.bare(`${i} = ${a}`);this.asker.ask(this.question(o),h=>this.answered(o,h,!t))}example(){let e=r=>!r.slope&&(!this.output.heads||r.head===this.head()),t=this.result.grids.find(e)??this.result.grids[0],o=t.marked??0;if(o>=t.rows)return null;let s=0;for(let r=1;r<t.columns&&t.kind==="probability";r++)t.values[o*t.columns+r]>t.values[o*t.columns+s]&&(s=r);return this.absolute(t,{row:o,column:s})}answered(e,t,o){if(t.gone)return this.again();if(this.playing)return;this.sources(t);let s=this.find(e),r=s?.grid.values[s.row*s.grid.columns+s.column];this.expression.tell(t,o?this.inWords(e):"",r)}sources(e){for(let{tensor:t,region:o}of e.reads??[]){let s=this.given.find(r=>r.tensor.name===t);s&&this.marks.source(s,o)}this.paint()}paint(){this.marks.paintTables(this.frames),this.look.table||this.marks.paintTiles(this.groups,this.pointed?.tensor)}again(){let{walk:e}=this.data;this.missed(e),clearTimeout(this.asking),this.missing!==e&&(this.missing=e,this.asking=setTimeout(()=>this.data.walk===e&&this.light(),su))}question(e){let t=[0,e.head,e.row,e.column];return nr(this.data,this.output.axes.map(o=>t[o]))}whereOf(e){let t=this.data.tensors[e.tensor];return[e.slope?`dL/d ${t.title}`:t.title,t.heads&&`head ${e.head+1}`,pe("row",t.rows,e.row-t.rows.first),pe("column",t.columns,e.column-t.columns.first)].filter(Boolean).join(" · ")}inWords(e){return this.whereOf(e).replaceAll(" · ",", ")}async copy(e){let[t,o]=[!1,!0].map(r=>this.result.grids.filter(i=>i.slope===r)),s=[e(this.output,t)];o.length&&s.push(`# gradient of the loss
${e({...this.output,kind:"signed",whole:!1},o)}`),this.say(await wr(s.join(`

`),this.nodes.clipboard))}say(e){this.nodes.announcement.textContent=e,clearTimeout(this.saying),this.saying=setTimeout(()=>this.nodes.announcement.textContent="",ru)}compute(){if(this.playing)return this.stop();if(this.look.table)return;let e=this.absolute(this.result.grids[0],{row:0,column:0}),t=this.pointed?.tensor===this.output.index?{...this.pointed,slope:!1}:null,o=[this.locked(),t,e].find(s=>s&&this.find(s));o&&this.asker.ask(this.question(o),async s=>{if(s.gone)return this.again();if(s.problem)return this.say(s.problem);let r=this.playing=new AbortController;un(this.nodes.playButton,"Stop"),await ar(ir(this,o),o,s,r.signal),this.playing===r&&this.stop()})}stop(){this.playing&&(this.playing.abort(),this.playing=null,this.made=null,this.nodes.announcement.textContent="",un(this.nodes.playButton,"Compute slowly"),this.expression.grown(),this.repaint(),this.light())}repaint(){this.result.paint(this.theme,this.made);for(let e of this.result.tiles)e.viewport&&te(e,this.theme)}}});var pc={};x(pc,{default:()=>lu});var lu,Cr,uc=w(()=>{I();O();S();lu=C([M],n=>new Cr(n),(n,{data:e,setTriggerValue:t})=>{n.most=e.most,n.send=o=>t("file",o)}),Cr=class{most=0;send=()=>{};constructor(e){let t=Ve(".txt,text/plain",([o])=>o&&this.read(o));t.ariaLabel="Text file",e.querySelector(".text-file")?.append(E("","Use a .txt file",()=>t.click()),t)}close(){}read(e){if(e.size>this.most)return this.send({size:e.size,content:""});let t=new FileReader;t.addEventListener("load",()=>{let[,o=""]=String(t.result).split(",",2);this.send({size:e.size,content:o})}),t.readAsDataURL(e)}}});var fc={};x(fc,{default:()=>hu});function du(n){let e=E("small-button","",()=>a());e.innerHTML='<svg viewBox="0 0 20 14" aria-hidden="true"><rect x=".7" y=".7" width="18.6" height="12.6" rx="2"/><path d="M4 4.4h.1M7 4.4h.1M10 4.4h.1M13 4.4h.1M16 4.4h.1M4 7.2h.1M7 7.2h.1M10 7.2h.1M13 7.2h.1M16 7.2h.1M6 10.2h8"/></svg>Keys',Object.assign(e,{ariaHasPopup:"dialog",ariaKeyShortcuts:"?",title:"Keyboard shortcuts of this page (?)"});let t=c("dialog","keys",{ariaLabel:"Keys"});n.append(e,t);let o=c("input","",{type:"checkbox"});o.addEventListener("change",()=>To(o.checked));let s=c("small","",cu,{id:"scope"});o.setAttribute("aria-describedby",s.id);let r=c("p","letters wrap",c("label","",o,"Single-letter shortcuts"),s),i=()=>o.checked=xn(),a=()=>{i(),t.open||t.showModal()};t.addEventListener("click",h=>{let{left:d,right:m,top:p,bottom:u}=t.getBoundingClientRect(),f=h.clientX>=d&&h.clientX<=m&&h.clientY>=p&&h.clientY<=u;(h.target===t&&!f||h.target.closest(".close"))&&t.close()}),t.addEventListener("keydown",h=>{t.open&&(h.stopPropagation(),h.key==="?"&&xn()&&t.close())});let l={open:a,tick:i,fill:h=>mu(t,h,r),close(){lt===l&&(lt=null),e.remove(),t.remove()}};return l}function mu(n,e,t){let o=JSON.stringify(e);if(n.dataset.shown===o)return;n.dataset.shown=o;let s=e.map(({title:i,rows:a})=>{let l=a.flatMap(([h,d])=>[c("dt","wrap",...h.map(m=>c("kbd","",m))),c("dd","",d)]);return c("section","",c("h3","",i),c("dl","",...l))}),r=c("button","close","×",{ariaLabel:"Close"});n.replaceChildren(c("header","",c("h2","","Keys"),r),t,c("div","columns",...s))}var cu,lt,hu,gc=w(()=>{Q();V();O();S();cu="Turns shortcuts with letters, digits and punctuation on or off. Arrow keys and Esc always work.",lt=null;Eo(()=>lt?.tick());document.addEventListener("keydown",n=>{n.key!=="?"||!lt||!F(n)||(n.preventDefault(),lt.open())});hu=C(se,du,(n,{data:e})=>{lt=n,lt.fill(e)})});var bc=yo(()=>{window.__streamlit={BACKEND_BASE_URL:new URL("./",document.baseURI).href};{let n="(prefers-color-scheme: dark)",e="playground theme",t=matchMedia.bind(window),o=t(n),r=(()=>{try{return localStorage.getItem(e)??""}catch{return""}})();class i extends EventTarget{media=n;get matches(){return r?r==="dark":o.matches}}let a=new i,l=()=>{document.documentElement.style.colorScheme=a.matches?"dark":"light",a.dispatchEvent(Object.assign(new Event("change"),{matches:a.matches,media:n}))};o.addEventListener("change",()=>r||l()),window.matchMedia=h=>h===n?a:t(h),window.playgroundTheme={chosen:()=>r,choose(h){r=h;try{h?localStorage.setItem(e,h):localStorage.removeItem(e)}catch{}l()}},l()}addEventListener("DOMContentLoaded",()=>{let n=document.getElementById("soon");n&&document.head.append(n.content)})});var yc={};x(yc,{default:()=>uu});function Mr(n){return(n.nodes??[]).flatMap(e=>e.nodes?[e,...Mr(e)]:[])}function Sr(n){if(n.off)return;let e=n.nodes?wc(n).find(t=>!t.off):n;e&&He({name:e.name})}function wc(n){return n.nodes?ho(n).flatMap(wc):[n]}function ho({list:n,nodes:e=[]}){return[...n?.children??[]].flatMap(t=>e.find(o=>o.item===t)??[])}var pu,de,uu,Lr,xc=w(()=>{Q();V();dn();Ce();O();S();pu=640,de={all:!1,shut:null},uu=C(se,n=>new Lr(n),(n,{data:e})=>n.show(e)),Lr=class{root;total=c("span","soft");title=E("title","All operations ",()=>{de.shut=!de.shut,this.draw(),this.reveal()});all=E("small-button","Unfold all",()=>{de.all=!de.all;for(let e of Mr(this.top))e.open=null;this.draw(),this.reveal()});tree=c("ul","tree",{role:"tree",ariaLabel:"All operations of this pass"});box=c("section","outline",c("header","",this.title,this.all),this.tree);top={depth:0,list:this.tree,nodes:[]};leaves=new Map;byItem=new WeakMap;planted="";lit=null;within=new Set;backward=null;stop=null;unwatch=()=>{};constructor(e){this.root=e,de.shut??=innerWidth<pu,this.title.append(this.total),e.append(this.box),this.tree.addEventListener("click",t=>{let o=t.target,s=o.closest("[role=treeitem]"),r=s&&this.byItem.get(s);r&&(this.setStop(r),o.closest(".chevron")?this.toggle(r):Sr(r))}),this.tree.addEventListener("keydown",t=>this.press(t))}close(){this.unwatch(),gt.set(this,null),this.box.remove()}show(e){let t=JSON.stringify(e);this.planted!==t&&this.plant(e),this.planted=t,this.unwatch(),this.unwatch=re.watch(o=>this.light(o)),gt.set(this,o=>{let s=this.leaves.get(o);return s?ho(s.parent).filter(r=>!r.nodes&&!r.off):[]})}plant({parts:e,colours:t}){this.leaves.clear();let o=(s,{label:r,name:i,parts:a,letter:l,role:h})=>{let d=c("div","row",c("span","chevron"),c("span","label",r)),m=s.depth+1,p=c("li","",d,{role:"treeitem",ariaLabel:r,ariaLevel:String(m),tabIndex:-1}),u={label:r,name:i,parent:s,item:p,row:d,depth:m,open:null};if(p.style.setProperty("--depth",String(m-1)),this.byItem.set(p,u),a)u.list=c("ul","",{role:"group"}),u.nodes=a.map(f=>o(u,f)),u.list.append(...u.nodes.map(f=>f.item)),p.append(u.list);else if(u.at=this.leaves.size,this.leaves.set(i,u),l){let f=c("span","letter",l,{ariaHidden:"true"});f.style.background=h?t[h]:"",d.append(f)}return u};this.top.nodes=e.map(s=>o(this.top,s)),this.lit=this.backward=null,this.tree.replaceChildren(...this.top.nodes.map(s=>s.item)),this.setStop(this.top.nodes[0]),this.draw()}isOpen(e){return e.open!==null?e.open:de.all||e.nodes?.some(t=>t.nodes)||this.within.has(e)}light(e){let t=e?.lit?this.leaves.get(e.lit):null;if(this.turn(e?.without??null),this.lit===(t??null))return;let o=this.within;this.lit=t??null,this.within=new Set;for(let s=t?.parent;s?.parent;s=s.parent)this.within.add(s),s.open===!1&&!o.has(s)&&(s.open=null);this.draw(),t&&!this.tree.contains(this.root.activeElement??null)&&this.setStop(t),this.reveal()}turn(e){let t=JSON.stringify(e);if(this.backward===t)return;let o=({list:r,nodes:i=[]})=>{let a=i.map(l=>l.item);r?.append(...e?a.reverse():a),i.filter(l=>l.nodes).forEach(o)};o(this.top);let s=new Set(e);for(let r of this.leaves.values())r.off=r.at!==void 0&&s.has(r.at),r.item.ariaDisabled=r.off?"true":null;this.total.textContent=e?`${this.leaves.size-s.size}, backward`:String(this.leaves.size),this.backward=t,this.lit=void 0}draw(){this.box.classList.toggle("shut",!!de.shut),this.title.ariaExpanded=String(!de.shut),this.all.textContent=de.all?"Fold to sublayers":"Unfold all",this.all.ariaPressed=String(de.all);for(let e of Mr(this.top))e.item.ariaExpanded=String(!!this.isOpen(e)),e.item.classList.toggle("within",this.within.has(e));for(let e of this.leaves.values())e.item.ariaCurrent=e===this.lit?"step":null;(!this.stop||!this.visible().includes(this.stop))&&this.setStop(this.lit??this.top.nodes[0])}reveal(){if(!this.lit||de.shut)return;let{tree:e}=this,t=this.lit.row.getBoundingClientRect(),o=e.getBoundingClientRect(),s=Math.min(2.5*t.height,o.height/3);if(t.top>=o.top+s&&t.bottom<=o.bottom-s)return;let r=e.scrollTop+t.top-o.top-(o.height-t.height)/2;e.scrollTo({top:r,behavior:Y()?"auto":"smooth"})}toggle(e){e.nodes&&(e.open=!this.isOpen(e),this.draw())}visible(e=this.top){return ho(e).flatMap(t=>[t,...t.nodes&&this.isOpen(t)?this.visible(t):[]])}setStop(e){this.stop&&(this.stop.item.tabIndex=-1),e.item.tabIndex=0,this.stop=e}press(e){let t=this.byItem.get(e.target);if(!t||e.ctrlKey||e.altKey||e.metaKey||e.shiftKey)return;let o=this.visible(),s=o.indexOf(t),r=t.nodes&&this.isOpen(t),i={ArrowDown:()=>o[s+1],ArrowUp:()=>o[s-1],Home:()=>o[0],End:()=>o[o.length-1],ArrowRight:()=>t.nodes&&!r?this.toggle(t):ho(t)[0],ArrowLeft:()=>r?this.toggle(t):t.parent.parent?t.parent:void 0,Enter:()=>Sr(t)," ":()=>t.nodes?this.toggle(t):Sr(t)};if(!Object.hasOwn(i,e.key))return;K(e);let a=i[e.key]();if(!a)return;this.setStop(a),a.item.focus({preventScroll:!0});let l=a.row.getBoundingClientRect(),h=this.tree.getBoundingClientRect();l.top<h.top&&(this.tree.scrollTop+=l.top-h.top),l.bottom>h.bottom&&(this.tree.scrollTop+=l.bottom-h.bottom)}}});var vc,kc=w(()=>{vc=`/* A traced pass: outline, statement, calculation and tensors. The page around it has the colours and the grid. */

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
.terms { max-height: 9rem; overflow: auto; }
.terms td { padding: 0 0.9rem 0 0; text-align: right; font-variant-numeric: tabular-nums; font-size: 0.8125rem; }
.hint { color: var(--soft); }
.tensors { display: flex; flex-wrap: wrap; gap: 1rem; margin-top: 0.9rem; align-items: flex-start; }
figure { max-width: 100%; margin: 0; }
figcaption { margin-bottom: 0.2rem; font-size: 0.875rem; overflow-wrap: anywhere; }
.result figcaption b { color: var(--accent); }
.result canvas { cursor: pointer; }
.matrix { max-height: 26rem; overflow: auto; }
@media (max-width: 700px) {
  .steps { padding: 0.6rem; }
}
`});var Ec,Tc=w(()=>{Ec=`.traced {
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
`});function Lc(n){return Uint8Array.from(atob(n),e=>e.charCodeAt(0)).buffer}function po(n,e){return n.reduce((t,o,s)=>t*o+e[s],0)}function xu(n,e){return n.map((t,o)=>{let s=n.slice(o+1).reduce((r,i)=>r*i,1);return Math.floor(e/s)%n[o]})}function ku(n,e,t,o){let s=e.copied?.[t];return s?vu(n,s,po(n.pass.tensors[e.outputs[t]].shape,o)):e.declared&&!t?new Ar(n,e.declared,o).cell():null}function vu(n,e,t){let o=new Int32Array(Lc(e.origins))[t];if(o<0)return{value:e.constant,lines:[],reads:new Map};for(let s of e.sources){let r=n.pass.tensors[s].shape.reduce((i,a)=>i*a,1);if(o<r){let i=n.of(s);return i&&{value:i[o],lines:[],reads:new Map([[s,new Set([o])]])}}o-=r}return null}function Mc(n){return n.flatMap(e=>Array.isArray(e)?typeof e[0]=="string"?[e]:e:[])}function $c(n){if(n[0]==="over")return n;for(let e of Mc(n)){let t=$c(e);if(t)return t}return null}function Ac(n){return n[0]==="read"||n[0]==="over"?[n]:Mc(n).flatMap(Ac)}function Tu(n){if(Math.abs(n)>6)return Math.sign(n);let e=n,t=n;for(let o=1;Math.abs(e)>1e-17*Math.abs(t);o++)e*=-n*n/o,t+=e/(2*o+1);return 2/Math.sqrt(Math.PI)*t}function L(n,e,...t){let o=document.createElement(n);return e&&(o.className=e),o.append(...t),o}function bn(n){if(!Number.isFinite(n))return Number.isNaN(n)?"NaN":n>0?"∞":"−∞";if(Number.isInteger(n)&&Math.abs(n)<1e6)return String(n);let e=Math.abs(n);return e>=.001&&e<1e5?n.toPrecision(4).replace(/\.?0+$/,""):n.toExponential(2)}function Lu(n){let e=bn(n);return e.length<=7?e:Math.abs(n)<.001||Math.abs(n)>=1e5?n.toExponential(0):n.toPrecision(3)}function Cc(n,e){let{origin:t,name:o}=n.tensors[e];if(t==="operation"){let s=n.operations.findIndex(r=>r.outputs.includes(e)&&!r.passesOn);return s<0?"result":`result of ${s+1} ${n.operations[s].function}`}return t==="constant"?"constant":`${t} ${o}`}function $t(){return parseFloat(getComputedStyle(document.documentElement).fontSize)/16}function Sc(n,e){let[t,o]=[n.getBoundingClientRect(),e.getBoundingClientRect()];n.scrollTop+=Math.min(0,o.top-t.top)||Math.max(0,o.bottom-t.bottom)}var mo,bu,wu,yu,$r,Ar,Eu,Cu,Su,uo,Rc=w(()=>{mo=n=>+!["b","v","0"].includes(n),bu={"+":(n,e)=>n+e,"-":(n,e)=>n-e,"*":(n,e)=>n*e,"/":(n,e)=>n/e,"//":(n,e)=>Math.floor(n/e),"%":(n,e)=>n-e*Math.floor(n/e),"**":(n,e)=>n**e,"==":(n,e)=>+(n===e),"!=":(n,e)=>+(n!==e),"<":(n,e)=>+(n<e),"<=":(n,e)=>+(n<=e),">":(n,e)=>+(n>e),">=":(n,e)=>+(n>=e)},wu={exp:Math.exp,log:Math.log,sqrt:Math.sqrt,sin:Math.sin,cos:Math.cos,tanh:Math.tanh,Phi:n=>.5*(1+Tu(n/Math.SQRT2)),max:Math.max,min:Math.min},yu={sum:n=>n.reduce((e,t)=>e+t,0),mean:n=>n.reduce((e,t)=>e+t,0)/n.length,max:n=>Math.max(...n),min:n=>Math.min(...n),any:n=>Number(n.some(Boolean))},$r=class{pass;#e=new Map;constructor(e){this.pass=e}of(e,t="values"){let o=this.pass.tensors[e][t];if(o===null)return null;let s=`${t} ${e}`,r=this.#e.get(s)??new Float32Array(Lc(o));return this.#e.set(s,r),r}};Ar=class{reads=new Map;names={inf:1/0,PAD:0,eps:1e-5};numbers;declared;constructor(e,t,o){this.numbers=e,this.declared=t;for(let{tensor:s,letters:r,spread:i}of Object.values(t.reads)){let{shape:a}=e.pass.tensors[s];r.forEach((l,h)=>i[h]||(this.names[l.toUpperCase()]=a[h]))}t.cell.forEach((s,r)=>s!=="0"&&(this.names[s]=o[r]+mo(s)))}cell(){let e=[];for(let[t,o]of[...this.declared.lines,["",this.declared.result]]){let s=this.value(o);t&&(this.names[t]=s),e.push({name:t,value:s,...this.terms(o)})}return{value:e.at(-1).value,lines:e,reads:this.reads}}value(e){switch(e[0]){case"number":return e[1];case"name":return this.names[e[1]];case"read":return this.read(e[1],e[2]);case"operator":return bu[e[1]](this.value(e[2]),this.value(e[3]));case"negative":return-this.value(e[1]);case"choice":return this.value(this.value(e[1])?e[2]:e[3]);case"call":return wu[e[1]](...e[2].map(t=>this.value(t)));case"all":return Number(e[1].every(t=>this.value(t)));case"over":return yu[e[1]](this.run(e,t=>this.value(t)))}}run([,,e,t,o,s],r){let i=[],a=mo(t.toLowerCase());for(let l=a;l<a+this.names[t];l++)this.names[e]=l,(!s||this.value(s))&&i.push(r(o));return delete this.names[e],i}read(e,t){let{tensor:o,letters:s,spread:r}=this.declared.reads[e],i=t.map((l,h)=>r[h]?0:this.value(l)-mo(s[h])),a=po(this.numbers.pass.tensors[o].shape,i);return this.reads.set(o,(this.reads.get(o)??new Set).add(a)),this.numbers.of(o)?.[a]??NaN}terms(e){if(e[0]==="choice")return this.terms(this.value(e[1])?e[2]:e[3]);let t=$c(e);if(!t)return{terms:[],over:""};let o=Ac(t[4]);return{terms:this.run(t,r=>({at:this.names[t[2]]-mo(t[3].toLowerCase()),value:this.value(r),factors:o.map(i=>this.value(i))})),over:t[2]}}};Eu=44,Cu=9,Su=40;uo=class{pass;numbers;at=0;pinned=null;leading=new Map;gradients=!1;outline=L("nav","outline");main;previous=L("button","","Previous");next=L("button","","Next");box=L("input","");onGo;constructor(e,t,o,s,r){this.pass=e,this.numbers=new $r(e),this.onGo=s,this.main=L(r?"main":"div","steps"),this.outline.ariaLabel="Operations",this.previous.onclick=()=>this.go(this.at-1),this.next.onclick=()=>this.go(this.at+1),this.box.type="checkbox",this.box.onchange=()=>this.turn();let i=L(r?"h1":"h2","",e.title);t.append(L("header","",i,...e.notes.map(a=>L("p","note",a))),this.outline,this.main),this.drawOutline(),this.go(o)}turn(){this.gradients=!this.gradients&&this.pass.tensors.some(e=>e.gradient!==null),this.draw()}go(e){this.at=Math.max(0,Math.min(this.pass.operations.length-1,e)),this.pinned=null,this.onGo(this.at);for(let t of this.outline.querySelectorAll("a")){let o=Number(t.dataset.at)===this.at;if(t.toggleAttribute("aria-current",o),o){for(let s=t.closest("details");s;s=s.parentElement.closest("details"))s.open=!0;Sc(this.outline,t)}}this.draw()}drawOutline(){let e=[["",this.outline]];this.pass.operations.forEach((t,o)=>{let s=t.calls.map(([a,l,h])=>({path:a,kind:l,number:h,key:`${a} ${h}`})),r=0;for(;r<s.length&&e[r+1]?.[0]===s[r].key;)r++;e.length=r+1;for(let{path:a,kind:l,number:h,key:d}of s.slice(r)){let m=h?` (call ${h+1})`:"",p=s[s.findIndex(b=>b.key===d)-1]?.path,u=p&&a.startsWith(`${p}.`)?a.slice(p.length+1):a,f=L("details","",L("summary","",u||l,L("small","",u?l+m:m)));f.open=r<2||this.pass.operations.length<60,e.at(-1)[1].append(f),e.push([d,f])}let i=L("a",t.passesOn?"idle":"",`${o+1} ${t.function}`);i.href=`#operation=${o+1}`,i.dataset.at=String(o),i.addEventListener("click",a=>{a.preventDefault(),this.go(o)}),e.at(-1)[1].append(i)})}draw(){let e=this.pass.operations[this.at];if(!e){this.main.replaceChildren(L("p","","This pass called no torch function."));return}let t=this.main.getRootNode().activeElement;this.previous.disabled=!this.at,this.next.disabled=this.at===this.pass.operations.length-1,this.box.checked=this.gradients;let o=e.calls.map(([m,p])=>m||p).at(-1)??"",s=L("h2","",`${this.at+1}. ${e.function}`,L("small","",o)),r=L("div","bar",s,this.previous,this.next);this.pass.tensors.some(m=>m.gradient!==null)&&r.append(L("label","",this.box," Show gradients"));let i=m=>m.map(p=>`(${this.pass.tensors[p].shape.join(", ")})`).join(", "),a=L("p","facts",`${i(e.inputs)||"no tensor"} → ${i(e.outputs)}`);e.passesOn?a.append(L("em","","It returns its input unchanged.")):!e.declared&&!e.copied&&a.append(L("em","","This call is opaque: only its numbers are known."));let l=[...new Set([...e.outputs,...e.inputs])],h=this.pinned&&this.cell(e,this.pinned),d=l.map(m=>this.tensor(e,m,h));this.main.replaceChildren(r,this.source(e),a,this.calculation(e,h),L("div","tensors",...d));for(let m of[this.previous,this.next,this.box])m===t&&m.focus({preventScroll:!0})}source(e){let t=this.pass.sources[e.source],o=L("ol","source");o.start=t.first,t.text.split(`
`).forEach((r,i)=>{let a=t.first+i,l=L("li",a>=e.line&&a<=e.last?"ran":"",r||" ");o.append(l)}),requestAnimationFrame(()=>{let r=o.querySelector(".ran");r&&Sc(o,r)});let s=L("div","file",t.file?`${t.file}:${e.line}`:"",L("code","",e.expression));return o.tabIndex=0,L("section","code",s,o)}cell(e,{tensor:t,index:o}){let s=e.outputs.indexOf(t);return s<0?null:ku(this.numbers,e,s,o)}calculation(e,t){let o=e.declared?.text??(e.copied?["Each cell is a copy of another one."]:[]),s=L("section","cell",...o.map(p=>L("code","",p)));if(s.ariaLive="polite",!this.pinned)return o.length&&s.append(L("p","hint","Select a cell of the result to see the numbers that it was computed from.")),s;let{tensor:r,index:i}=this.pinned,a=po(this.pass.tensors[r].shape,i),l=this.numbers.of(r)?.[a]??NaN,h=this.gradients&&this.numbers.of(r,"gradient")?.[a],d=typeof h=="number"?`, gradient ${bn(h)}`:"";s.append(L("p","",`Cell [${i.join(", ")}] = `,L("strong","",bn(l)),d));let m=t?.lines??[];for(let p of m.length>1||m[0]?.terms.length?m:[]){let u=L("p","",`${p.name||"out"} = ${bn(p.value)}`);if(p.terms.length>1){let f=p.terms.slice(0,200).map(({at:b,factors:g,value:T})=>L("tr","",...[b,...g,T].map(($,y)=>L("td","",y?bn($):String(b)))));u.append(L("div","terms",L("table","",...f)))}s.append(u)}return s}tensor(e,t,o){let{shape:s,dtype:r}=this.pass.tensors[t],i=e.outputs.includes(t),a=this.gradients?"gradient":"values",l=this.numbers.of(t,a),h=L("figure",i?"result":""),d=L("figcaption","",L("b","",i?"Result":Cc(this.pass,t)),` (${s.join(", ")}) ${r}`);if(h.append(d),!l){let f=this.gradients?"No gradient reaches it.":"Its numbers were left out: the pass has too many.";return h.append(L("p","hint",f)),h}let m=i?null:o?.reads.get(t),p=s.slice(0,-2),u=this.leading.get(t)??p.map(()=>0);return m?.size&&(u=xu(s,[...m][0]).slice(0,-2)),i&&this.pinned?.tensor===t&&(u=this.pinned.index.slice(0,-2)),p.forEach((f,b)=>{let g=L("select","",...Array.from({length:f},(T,$)=>L("option","",String($))));g.ariaLabel=`Index of axis ${b}`,g.value=String(u[b]),g.onchange=()=>{this.leading.set(t,u.with(b,Number(g.value))),this.pinned=null,this.draw()},d.append(" ",g)}),h.append(this.matrix(t,l,u,m??null,i)),h}matrix(e,t,o,s,r){let{shape:i}=this.pass.tensors[e],[a,l]=[i.at(-2)??1,i.at(-1)??1],h=o.reduce((k,A,B)=>k*i[B]+A,0)*a*l,d=L("canvas",""),m=L("div","matrix",d);this.main.append(m);let p=Math.max(a,l)<Su,u=$t()*(p?Eu:Cu),f=p?u/2:u,b=devicePixelRatio||1;d.width=l*u*b,d.height=a*f*b,d.style.width=`${l*u}px`;let g=d.getContext("2d");g.scale(b,b);let T=k=>(d.style.color=`var(${k})`,getComputedStyle(d).color),$={negative:T("--negative"),positive:T("--positive"),hidden:T("--hidden"),ink:T("--ink"),accent:T("--accent")},R=t.filter(Number.isFinite).reduce((k,A)=>Math.max(k,Math.abs(A)),0)||1;g.font=`${10*$t()}px ${getComputedStyle(d).fontFamily}`,g.textAlign="center",g.textBaseline="middle";for(let k=0;k<a;k++)for(let A=0;A<l;A++){let B=h+k*l+A,_=t[B];g.globalAlpha=Number.isFinite(_)?.85*Math.abs(_)/R:1,g.fillStyle=Number.isFinite(_)?_<0?$.negative:$.positive:$.hidden,g.fillRect(A*u,k*f,u-1,f-1),g.globalAlpha=1,p&&(g.fillStyle=$.ink,g.fillText(Lu(_),(A+.5)*u,(k+.5)*f)),(r&&this.pinned?.tensor===e&&po(i,this.pinned.index)===B||s?.has(B))&&(g.strokeStyle=$.accent,g.lineWidth=2,g.strokeRect(A*u+1,k*f+1,u-3,f-3))}return d.role="img",d.ariaLabel=`${Cc(this.pass,e)}, ${a} rows, ${l} columns`,r&&this.selectable(d,e,o,a,l,u,f),d.style.color="",m}selectable(e,t,o,s,r,i,a){let{shape:l}=this.pass.tensors[t],h=(d,m)=>{d<0||m<0||d>=s||m>=r||(this.pinned={tensor:t,index:[...o,d,m].slice(-l.length||1/0)},l.length||(this.pinned.index=[]),this.draw(),this.main.querySelector(".result canvas")?.focus({preventScroll:!0}))};e.tabIndex=0,e.onclick=d=>h(Math.floor(d.offsetY/a),Math.floor(d.offsetX/i)),e.onkeydown=d=>{let m={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]}[d.key];if(!m)return;d.preventDefault();let[p,u]=this.pinned?.tensor===t?[this.pinned.index.at(-2)??0,this.pinned.index.at(-1)??0]:[0,-m[1]];h(p+m[0],u+m[1])}}}});var Oc={};x(Oc,{default:()=>$u});async function Au(n,e){try{let t=await ae(new URL(`./own-pass/${encodeURIComponent(n)}`,document.baseURI),Mu,e);return t.ok?await t.json():await t.text()}catch{return"Server not responding. Reload the page."}}var Mu,fo,$u,Rr,Nc=w(()=>{I();kc();Tc();Ie();O();V();S();Rc();Mu=12e4,fo={name:"",at:0},$u=C([M,vc,Ec],n=>new Rr(n),(n,{data:e})=>n.show(e.pass)),Rr=class{box;name="";view=null;ended=new AbortController;zoom=$t();sizes=new ResizeObserver(()=>{this.zoom!==$t()&&(this.zoom=$t(),this.view?.draw())});constructor(e){this.box=c("div","traced"),e.append(this.box),this.sizes.observe(this.box),document.addEventListener("keydown",t=>this.key(t),{signal:this.ended.signal})}async show(e){if(e===this.name)return this.view?.draw();this.name=e,this.view=null,this.box.replaceChildren(c("p","hint","Loading ..."));let t=await Au(e,()=>this.name===e);if(this.name===e){fo.name!==e&&Object.assign(fo,{name:e,at:0}),this.box.replaceChildren();try{if(typeof t=="string")throw t;this.view=new uo(t,this.box,fo.at,o=>fo.at=o,!1)}catch(o){let s=typeof o=="string"?o:"This pass can't be drawn. Trace your code again.";this.box.replaceChildren(c("p","hint",s))}}}key(e){if(!this.view||!this.box.isConnected||!F(e))return;let t=ve(e);if(t==="ArrowRight"||t==="PageDown")this.view.go(this.view.at+1);else if(t==="ArrowLeft"||t==="PageUp")this.view.go(this.view.at-1);else if(t==="g"&&!e.repeat)this.view.turn();else return;e.preventDefault()}close(){this.ended.abort(),this.sizes.disconnect(),this.name="",this.view=null,this.box.remove()}}});var zc,Hc=w(()=>{zc=`/* The table of runs that are compared. */
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
`});var Pc={};x(Pc,{default:()=>Nu});function Hu({by:n,text:e,most:t},o){let s=(o?-1:1)*(t?-1:1);return(r,i)=>{let[a,l]=[r[n],i[n]];return a===null||l===null?+(a===null)-+(l===null):s*(e?String(a).localeCompare(String(l)):a-l)}}function zu(n){return n!==0&&Math.abs(n)<.001?n.toExponential(1):n.toPrecision(3)}var Ke,Ou,Nu,Or,Nr,Ic=w(()=>{I();Hc();Te();Ne();O();S();Ke=[{by:"name",title:"Run",text:!0},{by:"status",title:"Status",text:!0},{by:"steps",title:"Steps to solved",form:ke},{by:"seconds",title:"Optimizer seconds to solved",form:n=>n.toFixed(2)},{by:"exact",title:"Best exact match",form:H,most:!0},{by:"loss",title:"Latest loss",form:zu},{by:"parameters",title:"Parameters",form:ke}],Ou={name:40,note:500},Nu=C([M,zc],n=>new Or(n),(n,{data:e,setStateValue:t})=>{n.acts.adopt(e,o=>t("acts",o)),n.data=e,n.listen(),n.draw()}),Or=class{data;lines=new Map;live=new Map;groups=new Map;open=null;acts=new W;frame=0;heads=Ke.map(({by:e,title:t,text:o})=>c("th",o?"":"number",E("sort",t,()=>this.act("sort","",this.turned(e))),{scope:"col"}));body=c("tbody");order=c("select","",new Option("newest first",""),...Ke.map(({by:e,title:t})=>new Option(t,e)));more=E("more","",()=>this.act("more",""));box=c("div","box",c("label","order large","Sorted by ",this.order));constructor(e){let t=c("th","choice",c("span","unseen","In the charts")),o=c("table","runs",c("thead","",c("tr","",t,...this.heads)),this.body,{ariaLabel:"Runs"});this.order.addEventListener("change",()=>this.act("sort","",this.order.value)),this.box.append(o,this.more),e.append(this.box)}close(){cancelAnimationFrame(this.frame);for(let e of this.live.values())e.close();this.box.remove()}listen(){let e=new Set(this.data.rows.map(({id:t})=>t));for(let[t,o]of this.live)e.has(t)||(o.close(),this.live.delete(t));for(let{id:t,channel:o,now:s}of this.data.rows){let r=this.live.get(t)??new ce(()=>{cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>this.draw())});this.live.set(t,r),r.show({channel:o,at:this.data.at,now:s})}}act(e,t,o){this.acts.add(e,t,o),this.draw()}turned(e){return this.sort===e?`-${e}`:this.sort===`-${e}`?"":e}get sort(){return this.acts.pending.findLast(([,e])=>e==="sort")?.[3]??this.data.sort}get rows(){let e=this.data.rows.map(s=>{let r=this.live.get(s.id)?.values??s.now;return{...s,...r,colour:s.colour??r.line_colour}}),t=new Map(e.map(s=>[s.id,s])),o={show:"shown",colour:"colour",rename:"name",note:"note"};for(let[,s,r,i]of this.acts.pending){let a=t.get(r);o[s]&&a&&(a[o[s]]=i)}return e}draw(){let{rows:e,sort:t}=this,o=t.replace("-",""),s=Ke.find(l=>l.by===o);s&&e.sort(Hu(s,t.startsWith("-")));let r=t.startsWith("-")?"descending":"ascending";this.heads.forEach((l,h)=>l.ariaSort=Ke[h]===s?r:null),this.order.value=o;let i=e.filter(l=>l.shown).length>=this.data.most,a=[];for(let l of this.grouped(e,a)){let h=this.lines.get(l.id)??new Nr(this,l.id);this.lines.set(l.id,h),h.fill(l,i),a.push(h.main,h.details)}for(let[l,h]of this.lines)h.main.isConnected&&!a.includes(h.main)&&this.lines.delete(l);ye(this.body,a),this.more.hidden=!this.data.hidden,this.more.textContent=`Show ${this.data.hidden} more`}*grouped(e,t){let o=new Set;for(let s of e){if(s.sweep||(yield s),!s.sweep||o.has(s.sweep))continue;o.add(s.sweep);let r=e.filter(({sweep:a})=>a===s.sweep),i=this.groups.get(s.sweep)??this.groupOf(s.sweep);i.open===null&&r.some(({shown:a})=>a)&&(i.open=!0),v(i.counts,` ${r.length} runs · ${r.filter(({steps:a})=>a!==null).length} solved`),i.name.ariaExpanded=String(i.open===!0),t.push(i.row),i.open&&(yield*r)}}groupOf(e){let t=E("name",`Sweep ${e}`,()=>{r.open=!r.open,this.draw()}),o=c("span"),s=c("td","",t,o,{colSpan:Ke.length+1}),r={row:c("tr","sweep",s),name:t,counts:o,open:null};return this.groups.set(e,r),r}colour(e){let{light:t,dark:o}=this.data.colours;return`light-dark(${t[e%t.length]}, ${o[e%o.length]})`}};Nr=class{runs;id;row;box=c("input","",{type:"checkbox",onchange:()=>this.runs.act("show",this.id,this.box.checked)});name=E("name","",()=>{this.turn(this.runs.open!==this.id),this.runs.open===this.id&&this.details.querySelector("input, button")?.focus({preventScroll:!0})});first=c("span","tag","reference",{title:"All differences are relative to this run."});difference=c("div","difference");note=c("div","note");badge=c("span","badge");at=c("span","at");cells=Ke.slice(2).map(({by:e,title:t})=>{let o=c("td",`number ${e}`);return o.dataset.title=t,o});main=c("tr","run",c("td","choice",c("label","dot",this.box)),c("td","what",c("div","top wrap",this.name,this.first),this.difference,this.note),c("td","status",this.badge,this.at),...this.cells);inside=c("td","",{colSpan:Ke.length+1});details=c("tr","details",this.inside);updates=[];constructor(e,t){this.runs=e,this.id=t,this.details.addEventListener("keydown",o=>{o.stopPropagation(),o.key==="Escape"&&(this.turn(!1),this.name.focus())})}turn(e){this.runs.open=e?this.id:null,this.runs.draw()}fill(e,t){this.row=e;let{runs:o,main:s,box:r}=this,i=o.open===this.id;s.style.setProperty("--run",o.colour(Number(e.colour))),s.classList.toggle("open",i),s.classList.toggle("shown",e.shown),r.checked=e.shown,r.disabled=!e.shown&&t,r.title=r.disabled?`${o.data.most} runs is the most that the charts show.`:"In the charts",r.ariaLabel=`${e.name} in the charts`,v(this.name,e.name),this.name.ariaExpanded=String(i),this.first.hidden=!e.first,v(this.difference,e.difference),v(this.note,e.note),this.note.hidden=!e.note,v(this.badge,e.status),this.badge.dataset.status=e.status,v(this.at,e.ended?"":`step ${ke(e.step)}`),Ke.slice(2).forEach(({by:a,form:l},h)=>{let d=e[a];v(this.cells[h],d===null?"–":l?.(d)??d),this.cells[h].title=e[`${a}_evidence`]??""}),this.details.hidden=!i,i===!this.updates.length&&(i?this.inside.append(this.form()):this.inside.replaceChildren()),i||(this.updates=[]);for(let a of this.updates)a(e)}form(){let{runs:e,id:t}=this,o=(a,l,h,d="")=>{let m=E(a,l,()=>e.act(a,t),{title:d});return this.updates.push(p=>m.hidden=!h(p)),m},s=c("div","actions framed wrap",o("open","Open this run",()=>!0,"Its own charts, predictions and controls."),o("first","Compare the others with it",a=>!a.first,"Show differences relative to this run."),o("duplicate","Duplicate with a change",()=>!0,"Copy its settings to the form below the table."),o("stop","Stop",a=>a.mine&&!a.ended),o("delete","Delete",a=>a.mine&&a.ended,"Can be undone."));if(!this.row.mine)return c("div","form",s);let r=e.data.colours.light.map((a,l)=>{let h=E("pick","",()=>e.act("colour",t,l),{ariaLabel:`Colour ${l+1}`});return h.style.setProperty("--run",e.colour(l)),this.updates.push(d=>h.ariaPressed=String(d.colour===l)),h}),i=c("fieldset","colours",c("legend","","Colour"),...r);return c("div","form",this.field("rename","Name",c("input")),i,this.field("note","Note",c("textarea")),s)}field(e,t,o){let{runs:s,id:r}=this,i=e==="rename"?"name":e,a=c("span","problem",{role:"alert"});o.maxLength=Ou[i];let l=!1;o.addEventListener("input",()=>l=!0);let h=()=>{l&&o.value!==this.row[i]&&s.act(e,r,o.value),l=!1};return o.addEventListener("change",h),o.addEventListener("keydown",d=>{!(d instanceof KeyboardEvent)||d.key!=="Enter"||d.shiftKey||(d.preventDefault(),h())}),this.updates.push(d=>{let m=s.data.problem,p=m&&m.id===r&&m.verb===e?m:null;v(a,p?.sentence??""),l||(o.value=p?p.value:d[i])}),c("label",e,t,o,a)}}});var Bc,Dc=w(()=>{Bc=`/* What a stage has made keeps its room, whatever it is. */
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
`});var Wc={};x(Wc,{default:()=>Du});var Iu,Du,Hr,Gc=w(()=>{Oe();I();kt();Tr();Dc();ee();ot();st();to();Ce();Me();Ne();O();S();Iu=[U,M,ge,ao,Bc],Du=C(Iu,n=>new Hr(n),(n,{data:e})=>n.show(e)),Hr=class{parent;theme;root;observer=new ResizeObserver(()=>this.layout());shown="";size="";live=new ce(()=>this.draw());strip=c("div","strip");words=c("div","words");tensor=c("div","tensor");group=new J(this.tensor);numbers=c("div","numbers");value=c("div","value cut");legend=c("div","legend wrap");figure=c("div","figure",this.tensor,this.numbers,c("div","foot",this.value,this.legend));constructor(e){this.parent=e,this.theme=z(e),this.root=e.querySelector(".slow-motion"),this.root.append(this.strip,this.words,this.figure),this.group.listen(this.tensor,()=>this.tell()),this.observer.observe(this.root)}close(){this.live.close(),this.observer.disconnect(),re.set(this,null),this.root.replaceChildren()}show(e){this.live.show(e),this.draw()}draw(){let{message:e}=this.live.values;if(e===void 0)return;let t=j(Uint8Array.from(atob(e),i=>i.charCodeAt(0)));re.set(this,t.lit);let o=z(this.parent),s=JSON.stringify([t.stage,t.strip,t.words,o]);if(s===this.shown)return;Object.assign(this,{shown:s,theme:o});for(let i of["strip","words","numbers"])this[i].innerHTML=t[i];let[r]=t.tensors;this.figure.classList.toggle("drawn",!!r),this.size="",r&&this.fill(r,o),this.layout()}fill(e,t){this.group.fill(e,le(e),{heads:e.heads?.count,columns:e.columns.count},t,null);for(let o of this.group.tiles)o.node.tabIndex=-1,o.node.setAttribute("role","img"),o.node.setAttribute("aria-label",Nt([e.title,o.grid.title].filter(Boolean).join(", "),o.grid));this.legend.replaceChildren(...cn(this.group.grids,[],t))}layout(){let{clientWidth:e,clientHeight:t}=this.figure,o=`${e} ${t}`;if(!e||o===this.size)return;this.size=o;let s=this.strip.firstElementChild;s?.classList.remove("short"),s?.classList.toggle("short",s.scrollWidth>s.clientWidth),this.tensor.clientWidth&&Yt(this.group,this.tensor.clientWidth,this.tensor.clientHeight,this.theme),this.tell()}tell(){this.value.textContent=this.group.words(" = ")}}});var Uc,jc=w(()=>{Uc=`/* A sweep: small charts side by side and a table of what came out. */
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
`});var Vc={};x(Vc,{default:()=>Wu});function _c(n,e){let t=[];for(;n[`${e} ${t.length}`];)t.push(n[`${e} ${t.length}`]);return t}function Fc({cards:n,percent:e,steps:t}){let o=Math.max(1,t),s=d=>Kc*d/o;if(e)return{last:o,across:s,up:d=>wn*(1-d),ends:["100 %","0"]};let r=n.flatMap(d=>d.lines.flatMap(m=>m.values)).filter(d=>d>0),i=Math.min(...r,1/0),a=Math.max(...r,-1/0);if(!(a>i))return{last:o,across:s,up:()=>wn/2,ends:r.length?[bo(a),""]:["",""]};let l=Math.log(a)-Math.log(i);return{last:o,across:s,up:d=>wn*(1-(Math.log(Math.max(d,i))-Math.log(i))/l),ends:[bo(a),bo(i)]}}function Gu(n,e){let t=E("","",()=>n(e),{title:"Compare these runs"}),o=P("g",{class:"lines"}),s=P("line",{class:"rule",y1:0,y2:wn}),r=P("svg",{viewBox:`0 0 ${Kc} ${wn}`,preserveAspectRatio:"none",role:"img"},o,s),i=[c("span","top"),c("span","bottom"),c("span","last")],a=c("div","readout"),l=c("div","plot",r,...i);return{root:c("figure","card",c("figcaption","title",t),l,a),title:t,svg:r,rule:s,ends:i,readout:a,lines:o}}function ju({root:n,title:e,svg:t,lines:o,ends:s,readout:r},i,a){let{across:l,up:h,last:d}=a;v(e,i.title),t.setAttribute("aria-label",`${i.title}: ${i.summary}`);let m=i.lines.map(p=>{let u=p.steps.map((b,g)=>`${g?"L":"M"}${Pr(l(b))},${Pr(h(p.values[g]))}`);p.steps.length===1&&u.push("h0.01");let f=P("title",{},`${p.name}: ${p.result}`);return P("path",{d:u.join(""),class:p.solved===null?"open":"solved"},f)});o.replaceChildren(...m),[...a.ends,`step ${ke(d)}`].forEach((p,u)=>v(s[u],p)),r.dataset.all=i.summary,n.classList.toggle("waiting",!i.lines.some(p=>p.steps.length))}function Uu({steps:n,values:e},t){let o=null;for(let s=0;s<n.length&&n[s]<=t;s++)o=e[s];return o}function _u(n){let e=n.length>>1;return n.length%2?n[e]:(n[e-1]+n[e])/2}function qc(n,e){let t=c("i",e);return t.style.left=`${100*Math.min(1,n)}%`,t}function Pr(n){return Math.round(n*10)/10}function bo(n){return n!==0&&Math.abs(n)<.001?n.toExponential(1):String(Number(n.toPrecision(3)))}var Kc,wn,go,Wu,zr,Jc=w(()=>{I();jc();Ne();O();S();Kc=200,wn=100,go={percent:!0,columns:0,steps:1,cards:[],head:[],spread:1,rows:[]},Wu=C([M,Uc],n=>new zr(n),(n,{data:e,setTriggerValue:t})=>{n.ask=(o,s)=>t("asked",{verb:o,value:s}),n.draws=e.draws,n.live.show(e),n.draw()}),zr=class{cards=[];at=null;grid=c("div","grid");table=c("table","summary");scroller=c("div","scroller",this.table);box=c("div","box");live=new ce(()=>this.draw());draws="";content="";data=go;scale=Fc(go);ask=()=>{};constructor(e){e.append(this.box),this.grid.addEventListener("pointermove",t=>this.point(t)),this.grid.addEventListener("pointerleave",()=>this.look(null))}close(){this.live.close(),this.box.remove()}draw(){let{percent:e,columns:t,steps:o,head:s,spread:r,...i}=this.live.values,a=this.draws==="cards",l=a?{...go,percent:e,columns:t,steps:o,cards:_c(i,"card")}:{...go,head:s,spread:r,rows:_c(i,"row")},h=JSON.stringify(l);this.content!==h&&(Object.assign(this,{content:h,data:l}),this.box.replaceChildren(a?this.grid:this.scroller),a?this.chart():this.tabulate())}chart(){let{cards:e,columns:t}=this.data;for(this.grid.style.setProperty("--columns",t?String(t):"auto-fill"),this.scale=Fc(this.data);this.cards.length>e.length;)this.cards.pop()?.root.remove();for(;this.cards.length<e.length;){let o=Gu(s=>this.ask("compare",this.data.cards[s].index),this.cards.length);this.cards.push(o),this.grid.append(o.root)}e.forEach((o,s)=>ju(this.cards[s],o,this.scale)),this.look(this.at)}point(e){let t=e.target.closest("svg");if(!t)return;let o=t.getBoundingClientRect(),s=Math.min(1,Math.max(0,(e.clientX-o.left)/o.width));this.look(Math.round(s*this.scale.last))}look(e){this.at=e,this.cards.forEach(({rule:t,readout:o},s)=>{let r=this.data.cards[s];if(t.toggleAttribute("hidden",e===null),e===null)return v(o,o.dataset.all??"");let i=Pr(this.scale.across(e));t.setAttribute("x1",String(i)),t.setAttribute("x2",String(i));let a=r.lines.map(m=>Uu(m,e)).filter(m=>m!==null);a.sort((m,p)=>m-p);let l=this.data.percent?H:bo,d=a.length>1&&a[0]!==a.at(-1)?` (${l(a[0])} to ${l(a[a.length-1])})`:"";v(o,a.length?`step ${ke(e)}: ${l(_u(a))}${d}`:`step ${ke(e)}: –`)})}tabulate(){let{head:e,rows:t,spread:o}=this.data,s=e.map((i,a)=>c("th",a?"":"first",i,{scope:"col"})),r=t.map(({cells:i,marks:a,middle:l})=>{let h=a.map(p=>qc(p/o,"mark")),d=c("div","track",...h,l!==null&&qc(l/o,"middle")),m=i.map((p,u)=>c("td",u?"":"first",p));return c("tr","",...m,c("td","strip",d))});this.table.replaceChildren(c("thead","",c("tr","",...s)),c("tbody","",...r))}}});var Fu,Ir=w(()=>{Fu=Br({"../build/first_look.ts":()=>Promise.resolve().then(()=>(Mi(),Li)),"../checkpoints/cards.ts":()=>Promise.resolve().then(()=>(Di(),Ii)),"../checkpoints/corner.ts":()=>Promise.resolve().then(()=>(es(),zi)),"../checkpoints/drop.ts":()=>Promise.resolve().then(()=>(ji(),Gi)),"../checkpoints/pair.ts":()=>Promise.resolve().then(()=>(oa(),na)),"../checkpoints/upload.ts":()=>Promise.resolve().then(()=>(Bn(),Pi)),"../experiment/switches.ts":()=>Promise.resolve().then(()=>(aa(),ia)),"../generate/beam_tree.ts":()=>Promise.resolve().then(()=>(ma(),da)),"../generate/generation.ts":()=>Promise.resolve().then(()=>(ba(),ga)),"../learn/formula_rows.ts":()=>Promise.resolve().then(()=>(va(),ka)),"../learn/grid.ts":()=>Promise.resolve().then(()=>(La(),Sa)),"../parts/acts.ts":()=>Promise.resolve().then(()=>(Te(),ei)),"../parts/ask.ts":()=>Promise.resolve().then(()=>(Ie(),Ei)),"../parts/attention.ts":()=>Promise.resolve().then(()=>(jt(),Si)),"../parts/charts/chart.ts":()=>Promise.resolve().then(()=>(rn(),Za)),"../parts/charts/chart_export.ts":()=>Promise.resolve().then(()=>(Bs(),nl)),"../parts/charts/chart_store.ts":()=>Promise.resolve().then(()=>(Lt(),_a)),"../parts/charts/chart_theme.ts":()=>Promise.resolve().then(()=>(Xn(),qa)),"../parts/charts/charts.ts":()=>Promise.resolve().then(()=>(wl(),bl)),"../parts/charts/examples.ts":()=>Promise.resolve().then(()=>(Ws(),al)),"../parts/charts/heads.ts":()=>Promise.resolve().then(()=>(Gs(),cl)),"../parts/charts/toolbar.ts":()=>Promise.resolve().then(()=>(_s(),dl)),"../parts/code/code_file.ts":()=>Promise.resolve().then(()=>(vl(),kl)),"../parts/component.ts":()=>Promise.resolve().then(()=>(O(),ii)),"../parts/heatmaps/colours.ts":()=>Promise.resolve().then(()=>(ee(),Oi)),"../parts/heatmaps/group.ts":()=>Promise.resolve().then(()=>(ot(),Xi)),"../parts/heatmaps/layout.ts":()=>Promise.resolve().then(()=>(st(),ta)),"../parts/heatmaps/legend.ts":()=>Promise.resolve().then(()=>(to(),Tl)),"../parts/heatmaps/message.ts":()=>Promise.resolve().then(()=>(Me(),Ci)),"../parts/heatmaps/tile.ts":()=>Promise.resolve().then(()=>(je(),Vi)),"../parts/live/changes.ts":()=>Promise.resolve().then(()=>($l(),Ml)),"../parts/live/focus.ts":()=>Promise.resolve().then(()=>At(Ks())),"../parts/live/progress.ts":()=>Promise.resolve().then(()=>(Nl(),Ol)),"../parts/live/stream.ts":()=>Promise.resolve().then(()=>(Ne(),ja)),"../parts/map/diagram.ts":()=>Promise.resolve().then(()=>(Bl(),Dl)),"../parts/map/follow.ts":()=>Promise.resolve().then(()=>(dn(),Il)),"../parts/shortcuts.ts":()=>Promise.resolve().then(()=>(V(),qr)),"../parts/shown.ts":()=>Promise.resolve().then(()=>(Ce(),ri)),"../parts/streamlit_dom.ts":()=>Promise.resolve().then(()=>(fe(),Kr)),"../parts/styles.ts":()=>Promise.resolve().then(()=>(Q(),si)),"../parts/tips.ts":()=>Promise.resolve().then(()=>(Hn(),ki)),"../parts/words.ts":()=>Promise.resolve().then(()=>(S(),Ur)),"../passes/cell/cells.ts":()=>Promise.resolve().then(()=>(or(),Wl)),"../passes/cell/expression.ts":()=>Promise.resolve().then(()=>(sr(),Kl)),"../passes/cell/play.ts":()=>Promise.resolve().then(()=>(lr(),Vl)),"../passes/frame.ts":()=>Promise.resolve().then(()=>(hr(),Jl)),"../passes/look.ts":()=>Promise.resolve().then(()=>(dr(),Xl)),"../passes/maps.ts":()=>Promise.resolve().then(()=>(ec(),Zl)),"../passes/marks.ts":()=>Promise.resolve().then(()=>(xr(),oc)),"../passes/matrices.ts":()=>Promise.resolve().then(()=>(lc(),ac)),"../passes/matrix.ts":()=>Promise.resolve().then(()=>(tn(),Ca)),"../passes/pictures.ts":()=>Promise.resolve().then(()=>(Fn(),xa)),"../passes/statement.ts":()=>Promise.resolve().then(()=>(vr(),cc)),"../passes/table.ts":()=>Promise.resolve().then(()=>(ro(),nc)),"../passes/tensors.ts":()=>Promise.resolve().then(()=>(mc(),dc)),"../runs/text_file.ts":()=>Promise.resolve().then(()=>(uc(),pc)),"../shell/address.ts":()=>Promise.resolve().then(()=>At(ko())),"../shell/every_page.ts":()=>Promise.resolve().then(()=>(No(),Qr)),"../shell/keys.ts":()=>Promise.resolve().then(()=>(gc(),fc)),"../shell/presenter.ts":()=>Promise.resolve().then(()=>(Uo(),xi)),"../shell/scripts.ts":()=>Promise.resolve().then(()=>(Yc(),Xc)),"../shell/start.ts":()=>Promise.resolve().then(()=>At(bc())),"../shell/theme.ts":()=>Promise.resolve().then(()=>(zo(),Zr)),"../step/outline.ts":()=>Promise.resolve().then(()=>(xc(),yc)),"../step/own_pass.ts":()=>Promise.resolve().then(()=>(Nc(),Oc)),"../train/runs.ts":()=>Promise.resolve().then(()=>(Ic(),Pc)),"../train/slow_motion.ts":()=>Promise.resolve().then(()=>(Gc(),Wc)),"../train/sweep.ts":()=>Promise.resolve().then(()=>(Jc(),Vc))})});var Xc={};x(Xc,{default:()=>qu});var qu,Yc=w(()=>{Uo();Hn();Ir();qu=n=>Fu(`../${n}.ts`)});Yc();export{qu as default};

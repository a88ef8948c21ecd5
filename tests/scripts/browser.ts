// A page for tests of scripts: the DOM of happy-dom, and style sheets as text, as esbuild makes them.

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const inside = specifier.startsWith(".") || specifier.startsWith("node:") || specifier.startsWith("file:");
    const packages = new URL("../../.venv/node/", import.meta.url).href;
    const ours = !context.parentURL?.includes("/node_modules/");
    return next(specifier, inside || !ours ? context : { ...context, parentURL: packages });
  },
  load(address, context, next) {
    if (!address.endsWith(".css")) return next(address, context);
    const source = `export default ${JSON.stringify(readFileSync(new URL(address), "utf-8"))};`;
    return { format: "module", shortCircuit: true, source };
  },
});

const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
const { GlobalRegistrator } = await import("@happy-dom/global-registrator");
GlobalRegistrator.register({ url: "http://localhost:8501/", width: 1440, height: 900 });
Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval }); // those that `mock.timers` replaces

// Missing in happy-dom.
Object.assign(globalThis, {
  Option: function (text: string, value: string) {
    return Object.assign(document.createElement("option"), { textContent: text, value });
  },
});

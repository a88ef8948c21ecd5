import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import "./browser.ts";

const calls: [way: string, address: string][] = [];
const record = (way: string) => (_state: unknown, _title: string, address?: string | URL | null) => {
  const to = new URL(address ?? "", location.href).href;
  calls.push([way, to.replace(location.origin, "")]);
  (window as any).happyDOM.setURL(to);
};
history.pushState = record("push");
history.replaceState = record("replace");
await import("../../playground/ui/parts/address.ts");

beforeEach(() => {
  (window as any).happyDOM.setURL("http://localhost:8501/step_through?step=1");
  calls.length = 0;
});

test("a step on a page makes no history entry, another page does", () => {
  history.pushState({}, "", "?step=2");
  history.pushState({}, "", "/train");
  assert.deepEqual(calls, [["replace", "/step_through?step=2"], ["push", "/train"]]);
});

test("back leaves a comparison", () => {
  history.pushState({}, "", "?compare=a,b");
  history.pushState({}, "", "?compare=a,c");
  assert.deepEqual(calls, [["push", "/step_through?compare=a,b"], ["replace", "/step_through?compare=a,c"]]);
});

test("back leads to the last page with its query, which Streamlit removes before a page switch", () => {
  history.pushState({}, "", "/step_through");
  history.pushState({}, "", "/train");
  assert.deepEqual(calls, [["replace", "/step_through"], ["replace", "/step_through?step=1"], ["push", "/train"]]);
});

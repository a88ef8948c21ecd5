import assert from "node:assert/strict";
import { mock, test } from "node:test";

import "./browser.ts";

mock.timers.enable({ apis: ["setTimeout"] });
const { component } = await import("../../playground/ui/parts/component.ts");
type Call = import("../../playground/ui/parts/component.ts").Call<number>;

test("what a component has drawn is kept until some time after its last call", () => {
  let made = 0;
  const shown: number[] = [];
  const draw = component(["p { margin: 0 }"], () => ({ made: ++made, close: () => shown.push(-1) }), (drawn, { data }: Call) => shown.push(drawn.made, data));
  const parentElement = document.body.appendChild(document.createElement("div"));
  const call = (data: number) => draw({ data, parentElement, setStateValue() {}, setTriggerValue() {} });

  const leave = call(10);
  leave(); // Streamlit cleans up just before it draws the same component again ...
  const last = call(11);
  leave(); // ... or after a newer call
  mock.timers.tick(1000);
  assert.deepEqual(shown, [1, 10, 1, 11]);
  assert.equal(document.adoptedStyleSheets.length, 1);

  last();
  mock.timers.tick(1000);
  assert.deepEqual(shown, [1, 10, 1, 11, -1]);
  call(12);
  assert.deepEqual(shown, [1, 10, 1, 11, -1, 2, 12]);
});

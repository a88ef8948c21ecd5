import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import "./browser.ts";

const plan = await import("../../playground/ui/shell/lesson_plan.ts");
const PAGES = ["", "train", "step_through"];
const KEPT = "playground lesson plan"; // in localStorage
const titles = () => plan.views(PAGES).map(({ title }) => title);
const addresses = () => plan.views(PAGES).map(({ at }) => at);

beforeEach(() => localStorage.clear());

test("a plan keeps views of this app in order, by their addresses relative to it", () => {
  assert.equal(plan.add(PAGES, "Loss", "http://localhost:8501/train?run=7&present=loss"), "");
  assert.equal(plan.add(PAGES, "Build", "http://localhost:8501/?model.d_model=32#top"), "");
  assert.deepEqual(addresses(), ["train?run=7&present=loss", "./?model.d_model=32"]);
});

test("Undo brings back what was deleted, with the names given since", () => {
  for (const name of ["one", "two"]) plan.add(PAGES, name, "http://localhost:8501/train");
  const [, { id }] = plan.views(PAGES);
  plan.change(PAGES, ([, two]) => [two]);
  plan.rename(PAGES, id, "second");
  plan.undo();
  assert.deepEqual(titles(), ["one", "second"]);
});

test("what another tab has added stays", () => {
  plan.add(PAGES, "one", "http://localhost:8501/train");
  const other = [...plan.views(PAGES), { id: "x", title: "theirs", at: "step_through" }];
  localStorage.setItem(KEPT, JSON.stringify(other)); // as the other tab does
  plan.add(PAGES, "two", "http://localhost:8501/train");
  assert.deepEqual(titles(), ["one", "theirs", "two"]);
});

test("a plan has a maximum of views, and of characters in an address", () => {
  for (let at = 0; at < plan.MAX_VIEWS; at++) plan.add(PAGES, "Train", "http://localhost:8501/train");
  assert.equal(plan.add(PAGES, "Train", "http://localhost:8501/train"), plan.FULL);
  assert.equal(titles().length, plan.MAX_VIEWS);
  plan.change(PAGES, () => []);
  assert.equal(plan.add(PAGES, "Train", `http://localhost:8501/train?input=${"1".repeat(5000)}`), plan.LONG_ADDRESS);
});

test("a link carries the plan", async () => {
  plan.add(PAGES, "Loss <b>", "http://localhost:8501/train?present=loss");
  plan.add(PAGES, "Gewichte ½ › ✓", "http://localhost:8501/step_through?input=3+1+4");
  const link = await plan.linkOf(plan.views(PAGES));
  const found = await plan.ofLink(plan.inFragment(new URL(link ?? "").hash), PAGES);
  assert.ok(found && plan.same(found.plan, plan.views(PAGES)));
  assert.equal(found?.left, 0);
});

test("of a link, only addresses of this app's pages are taken", async () => {
  const wrong = ["https://elsewhere.test/train", "//elsewhere.test/train", "javascript:alert(1)", "nowhere", "train/../../x", "_stcore/health", 7, null];
  const views = [...wrong, "train?run=7"].map((at) => ({ id: "", title: "view", at: at as string }));
  const link = await plan.linkOf(views);
  const found = await plan.ofLink(plan.inFragment(new URL(link ?? "").hash), PAGES);
  assert.deepEqual([found?.plan.map(({ at }) => at), found?.left], [["train?run=7"], wrong.length]);
});

test("a link that carries no plan is refused", async () => {
  const bomb = await plan.linkOf([{ id: "", title: "x".repeat(5_000_000), at: "train" }]);
  const packed = plan.inFragment(new URL(bomb ?? "").hash);
  for (const word of ["%%%", "AAAA", "", "x".repeat(10_000), packed]) assert.equal(await plan.ofLink(word, PAGES), null, word.slice(0, 20));
});

// What a change does to the model, in one line: it is read aloud, and stays in sight while one scrolls on a phone.

import baseCss from "../parts/base.css";
import { component } from "../parts/component.ts";
import { element, write } from "../parts/words.ts";
import type { Call, Root } from "../parts/component.ts";

/** Exact match of both models as text; "" while it isn't known. */
type Data = { unchanged: string, changed: string };

export default component([baseCss], make, (outcome, { data }: Call<Data>) => outcome.show(data));

function make(root: Root) {
  const node = element("div", "outcome", { role: "status" });
  root.append(node);
  return {
    show({ unchanged, changed }: Data) {
      write(node, changed && `Exact match: unchanged ${unchanged} → changed ${changed}`);
    },
    close: () => node.remove(),
  };
}

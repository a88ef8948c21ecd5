// All scripts of the screen as one file. Three start with the page: the presenter view, so that a link to it never shows
// the normal view, the room of the tab, and tooltips.

import "./presenter.ts";
import "../room/room.ts";
import "../parts/tips.ts";

// The exports of a script by its path below playground/ui, without ".ts". It runs when it is first asked for.
export default (name: string) => import(`../${name}.ts`);

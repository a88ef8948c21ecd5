// How far a run is: a bar, its status and a line of text, kept up to date by the event stream.

import { dressIn } from "./dress.js";
import { Live } from "./stream.js";
import { Views } from "./views.js";
import { element, write } from "./words.js";

const dress = await dressIn("base.css", "progress.css");
const views = new Views((place) => new View(place));

export default function ({ data, parentElement }) {
  const view = views.at(parentElement);
  view.show(data);
  return views.leave(parentElement);
}

class View {
  constructor(parent) {
    dress(parent);
    this.status = element("span", "status");
    this.text = element("span", "text");
    this.bar = Object.assign(element("div", "bar"), { role: "progressbar", ariaValueMin: 0, ariaValueMax: 100 });
    this.fill = element("i");
    this.bar.append(this.fill);
    const line = element("div", "line");
    line.append(this.status, this.text);
    this.root = element("div", "progress");
    this.root.append(line, this.bar);
    parent.append(this.root);
    this.live = new Live(() => this.draw());
  }

  show(data) {
    this.live.show(data);
    this.draw();
  }

  draw() {
    const { status, text, done, colour } = this.live.values;
    write(this.status, status);
    write(this.text, text);
    this.status.className = `status ${colour}`;
    this.status.hidden = !status;
    this.fill.style.width = `${100 * done}%`;
    this.bar.ariaValueNow = Math.round(100 * done);
    this.bar.ariaLabel = `${status} ${text}`;
  }

  close() {
    this.live.close();
    this.root.remove();
  }
}

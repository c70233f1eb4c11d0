"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));

  function made(name, attributes = {}, text = "") {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  }

  /** What stands between backticks is code. */
  function show(element, text) {
    element.replaceChildren(...text.split("`").map((part, index) => (index % 2 ? made("code", {}, part) : part)));
  }

  /** Scroll only the box that an element is in, never the page. */
  function reveal(element, box) {
    if (!box) return;
    const inner = element.getBoundingClientRect(), outer = box.getBoundingClientRect();
    const bottom = outer.top + 160 < innerHeight ? Math.min(outer.bottom, innerHeight) : outer.bottom;
    const above = inner.top - outer.top - 40, below = inner.bottom - bottom + 40;
    const by = above < 0 ? above : Math.max(0, below);
    if (by) box.scrollBy({ top: by, behavior: Math.abs(by) > 400 ? "instant" : "auto" });
  }

  /** One list of steps, and all that shows where one is in it. */
  class Walk {
    constructor(element) {
      this.element = element;
      this.rows = JSON.parse(element.querySelector('script[type="application/json"]').textContent);
      this.names = all(".names li", element).map((name) => name.textContent);
      this.at = this.rows.length - 1;
      this.total = +element.dataset.total;
      this.build();
      all("tr[data-row]", element).forEach((row) => row.addEventListener("click", () => this.go(+row.dataset.row)));
      all("[data-go]", element).forEach((link) =>
        link.addEventListener("click", (event) => { event.preventDefault(); this.go(+link.dataset.go); }));
    }

    build() {
      const bar = made("div", { class: "controls", role: "toolbar", "aria-label": "Steps of the run" });
      const button = (text, label, act) => {
        const made_ = made("button", { type: "button", "aria-label": label, title: label }, text);
        made_.addEventListener("click", act);
        bar.append(made_);
        return made_;
      };
      this.first = button("«", "First step (Home)", () => this.go(0));
      this.back = button("‹", "One step back (k)", () => this.go(this.at - 1));
      this.next = button("›", "One step on (j)", () => this.go(this.at + 1));
      this.last = button("»", "Last step (End)", () => this.go(this.rows.length - 1));
      this.slider = made("input", { type: "range", min: 1, max: this.rows.length, "aria-label": "Step" });
      this.slider.addEventListener("input", () => this.go(+this.slider.value - 1));
      this.count = made("span", { class: "count" });
      this.more = button("All steps", "All steps, also those that are not shown", () => this.toggle());
      this.now = made("p", { class: "now", role: "status", "aria-live": "polite" });
      const keys = made("span", { class: "keys" });
      keys.append(made("kbd", {}, "j"), " ", made("kbd", {}, "k"), " or arrows");
      bar.append(this.slider, this.count, this.more, keys, this.now);
      this.element.querySelector(".panes").before(bar);
    }

    /** Show all steps instead of these, or the other way round. */
    toggle() {
      const other = walks.find((walk) => walk !== this && walk.article === this.article);
      const details = this.article.querySelector("details.all");
      details.open = other.element.closest("details") !== null;
      this.element.hidden = true;
      other.element.hidden = false;
      other.go(other.at);
      other.more.focus();
      current = other;
    }

    get article() { return this.element.closest("article"); }

    go(index) {
      this.at = Math.max(0, Math.min(this.rows.length - 1, index));
      const before = this.state(this.at - 1), state = this.state(this.at), row = this.rows[this.at];
      this.slider.value = this.at + 1;
      this.slider.setAttribute("aria-valuetext", row.say);
      this.count.textContent = `Step ${this.numberOf(this.at)} of ${this.total}`;
      show(this.now, row.say);
      this.now.className = `now t${row.t}`;
      this.first.disabled = this.back.disabled = this.at === 0;
      this.next.disabled = this.last.disabled = this.at === this.rows.length - 1;
      this.markRows();
      this.markArrows();
      this.markSource(state, row);
      all("[data-key]", this.element).forEach((shown) => {
        const key = shown.dataset.key;
        show(shown, state[key] ?? "");
        shown.classList.toggle("fresh", this.at > 0 && state[key] !== before[key]);
      });
      all("[data-from]:not(path)", this.element).forEach((change) => { change.hidden = +change.dataset.from > this.at; });
      const label = this.element.querySelector("[data-state-of]");
      label.textContent = `after step ${this.numberOf(this.at)}`;
    }

    numberOf(index) { return this.element.querySelector(`tr[data-row="${index}"] .number`).textContent; }

    /** What is known after a step. */
    state(index) {
      return Object.assign({}, ...this.rows.slice(0, index + 1).map((row) => row.set));
    }

    markRows() {
      all("tr[data-row]", this.element).forEach((row) => {
        const number = +row.dataset.row;
        row.classList.toggle("current", number === this.at);
        row.classList.toggle("later", number > this.at);
        if (number === this.at) { row.setAttribute("aria-current", "step"); reveal(row, row.closest(".scroll")); }
        else row.removeAttribute("aria-current");
      });
    }

    markArrows() {
      all("[data-dot]", this.element).forEach((dot) => dot.classList.toggle("later", +dot.dataset.dot > this.at));
      all("path[data-from]", this.element).forEach((arrow) => {
        const from = +arrow.dataset.from, to = +arrow.dataset.to;
        arrow.classList.toggle("strong", from === this.at || to === this.at);
        arrow.classList.toggle("later", to > this.at);
      });
    }

    markSource(state, row) {
      all(".code .at", this.element).forEach((line) => { line.className = ""; line.removeAttribute("data-at"); });
      this.names.forEach((name, thread) => {
        const line = document.getElementById(state[`p${thread}`] || "-");
        if (!line) return;
        line.classList.add("at", `t${thread % 6}`);
        line.dataset.at = line.dataset.at ? `${line.dataset.at}, ${name}` : name;
      });
      const acting = document.getElementById(row.at || "-");
      if (acting) {
        acting.className = `at acting t${row.t}`;
        reveal(acting, acting.closest(".scroll"));
      }
    }
  }

  const walks = all(".walk").map((element) => new Walk(element));
  let current = walks[0];
  walks.forEach((walk) => {
    walk.go(walk.at);
    const others = walks.filter((other) => other.article === walk.article);
    walk.more.hidden = others.length < 2;
    walk.element.hidden = walk !== others[0];
    if (walk.element.closest("details")) {
      walk.more.textContent = "Fewer steps";
      walk.more.setAttribute("aria-label", "Only the steps that matter");
    }
  });

  document.addEventListener("keydown", (event) => {
    const steps = { j: 1, ArrowDown: 1, ArrowRight: 1, k: -1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
    const own = event.target.closest("input, select, textarea, .source .scroll");
    if (!current || own || event.ctrlKey || event.metaKey || event.altKey || !(event.key in steps)) return;
    event.preventDefault();
    current.go(current.at + steps[event.key]);
  });

  /* Several violations: one at a time. */
  const choices = all("[data-violation]"), articles = all("article.violation");
  function choose(number) {
    articles.forEach((article, index) => { article.hidden = index !== number; });
    choices.forEach((choice, index) => choice.setAttribute("aria-current", String(index === number)));
    current = walks.find((walk) => walk.article === articles[number] && !walk.element.hidden);
    if (current) current.go(current.at);
  }
  choices.forEach((choice, index) =>
    choice.addEventListener("click", (event) => { event.preventDefault(); choose(index); }));
  if (articles.length) choose(0);

  /* Light or dark: as the system has it, until the button is pressed. */
  const theme = document.querySelector(".theme");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const named = () => { theme.textContent = dark() ? "Light" : "Dark"; };
  theme.hidden = false;
  theme.removeAttribute("aria-pressed");
  theme.setAttribute("aria-label", "Switch between light and dark");
  theme.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; named(); });
  named();
})();

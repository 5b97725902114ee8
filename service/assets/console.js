// Keeps the console up to date: it asks for the sections, whose every value is escaped,
// and a section that has changed takes the place of the old one. What belongs
// to a row is loaded when the row is opened.

const live = document.getElementById("live");
const pause = document.getElementById("pause");
const waiting = new Map();
let isPaused = false;

/** How many rows a page of a table has. */
const ROWS = matchMedia("(max-width: 62rem)").matches ? 5 : 10;

/** The page of each table that is shown, by the table's name; 0 is the first. */
const pageOf = new Map();

/** How often the service is asked for what has changed, in milliseconds. */
const EVERY_MS = 1_000;

let { version } = document.getElementById("main").dataset;
let isAnswered = true;
/** The sections as they came last, by their IDs. */
const shown = new Map();

/** Asks for the sections that have changed. */
async function update() {
  try {
    const query = new URLSearchParams(location.search);
    query.set("version", version);
    const answer = await fetch(`/console/sections?${query}`);
    if (!answer.ok) throw new Error(`the service answers ${answer.status}`);
    isAnswered = true;
    if (answer.status === 200) take(await answer.json());
  } catch {
    isAnswered = false;
  }
  tell();
  setTimeout(update, EVERY_MS);
}

function take(news) {
  ({ version } = news);
  for (const { id, html } of news.sections) {
    if (shown.get(id) === html) continue;
    shown.set(id, html);
    if (isPaused) waiting.set(id, html);
    else replace(id, html);
  }
}

document.querySelectorAll("section").forEach(showPages);
pause.hidden = false;
pause.addEventListener("click", () => {
  isPaused = !isPaused;
  pause.textContent = isPaused ? "Resume" : "Pause";
  if (!isPaused) {
    for (const [id, html] of waiting) replace(id, html);
    waiting.clear();
  }
  tell();
});
void update();

function tell() {
  const state = isPaused
    ? `Paused${waiting.size > 0 ? ", there is news" : ""}`
    : isAnswered
      ? "Live"
      : "The service does not answer; trying again";
  // Set only when it changes, or it would be read out again and again.
  if (live.textContent !== state) live.textContent = state;
  live.dataset.state = isPaused ? "paused" : isAnswered ? "live" : "lost";
}

// The event does not bubble, but everybody can see it on its way down.
document.addEventListener("toggle", ({ target }) => load(target), true);

/** What belongs to an open row, from a page of its own, again at each update. */
async function load(details) {
  const { href } = details.dataset;
  if (!details.open || href === undefined) return;
  const content = details.lastElementChild;
  try {
    const answer = await fetch(href);
    if (!answer.ok) throw new Error(`the service answers ${answer.status}`);
    const page = new DOMParser().parseFromString(
      await answer.text(),
      "text/html",
    );
    const fresh = page.getElementById("detail");
    // Unchanged content is left alone: somebody may be reading or copying it.
    if (fresh.innerHTML === content.dataset.shown) return;
    content.dataset.shown = fresh.innerHTML;
    content.replaceChildren(...fresh.childNodes);
  } catch ({ message }) {
    const note = document.createElement("p");
    note.textContent = `This cannot be loaded: ${message}.`;
    content.replaceChildren(note);
    delete content.dataset.shown;
  }
}

/** What is open stays open, and what has the focus or was scrolled keeps it. */
function replace(id, html) {
  const old = document.getElementById(id);
  const template = document.createElement("template");
  template.innerHTML = html;
  const fresh = template.content.firstElementChild;
  if (!old || !fresh) return;
  const focused = old.contains(document.activeElement)
    ? pathTo(old, document.activeElement)
    : undefined;
  const scrolled = [...old.querySelectorAll(".scroll")].map(
    ({ scrollLeft }) => scrollLeft,
  );
  const read = [...old.querySelectorAll("pre")].map((box) => [
    box,
    box.scrollTop,
  ]);
  keepOpen(old, fresh);
  old.replaceWith(fresh);
  showPages(fresh);
  for (const [box, top] of read) box.scrollTop = top;
  fresh.querySelectorAll(".scroll").forEach((element, i) => {
    element.scrollLeft = scrolled[i] ?? 0;
  });
  if (focused) find(fresh, focused)?.focus({ preventScroll: true });
}

/** Shows one page of each long table, and buttons for the others. */
function showPages(section) {
  section.querySelectorAll(".scroll").forEach((box, n) => {
    const rows = [...box.querySelectorAll("tbody tr:not(.below)")];
    if (rows.length > ROWS) addPages(box, rows, `${section.id}-${n}`);
  });
}

function addPages(box, rows, id) {
  const name = box.getAttribute("aria-label");
  const last = Math.ceil(rows.length / ROWS) - 1;
  const nav = document.createElement("nav");
  nav.className = "pages";
  nav.setAttribute("aria-label", `Pages of ${name}`);
  const previous = pageButton("Previous", `${id}-previous`);
  const next = pageButton("Next", `${id}-next`);
  const place = document.createElement("span");
  place.setAttribute("role", "status");
  const show = (wanted) => {
    const page = Math.max(0, Math.min(wanted, last));
    pageOf.set(name, page);
    const first = page * ROWS;
    rows.forEach((row, n) => {
      row.hidden = n < first || n >= first + ROWS;
      const below = row.nextElementSibling;
      if (below?.classList.contains("below")) below.hidden = row.hidden;
    });
    // A disabled button would lose the focus.
    previous.setAttribute("aria-disabled", String(page === 0));
    next.setAttribute("aria-disabled", String(page === last));
    place.textContent = `${first + 1} to ${Math.min(first + ROWS, rows.length)} of ${rows.length}`;
  };
  previous.addEventListener("click", () => show(pageOf.get(name) - 1));
  next.addEventListener("click", () => show(pageOf.get(name) + 1));
  nav.append(previous, place, next);
  box.after(nav);
  show(pageOf.get(name) ?? 0);
}

function pageButton(text, id) {
  const button = document.createElement("button");
  button.type = "button";
  button.id = id;
  button.textContent = text;
  return button;
}

/** Moves what was loaded into open rows, and has it loaded again. */
function keepOpen(old, fresh) {
  for (const { id, lastElementChild: content } of old.querySelectorAll(
    "details[open]",
  )) {
    const again = fresh.querySelector(`#${CSS.escape(id)}`);
    again?.lastElementChild.replaceWith(content);
    again?.setAttribute("open", "");
  }
}

/** The identity of a row: its ID, else its number within its kind. */
function pathTo(root, element) {
  if (element.id) return { id: element.id };
  const { tagName } = element;
  return {
    tagName,
    place: [...root.querySelectorAll(tagName)].indexOf(element),
  };
}

function find(root, { id, tagName, place }) {
  return id
    ? root.querySelector(`#${CSS.escape(id)}`)
    : root.querySelectorAll(tagName)[place];
}

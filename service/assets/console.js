// Keeps the console up to date: the server sends each section that has changed,
// with every value escaped, and it takes the place of the old one.

const live = document.getElementById("live");
const pause = document.getElementById("pause");
const waiting = new Map();
let isPaused = false;

const source = new EventSource(`/console/stream${location.search}`);
source.addEventListener("open", tell);
source.addEventListener("error", tell);
source.addEventListener("section", ({ data }) => {
  const { id, html } = JSON.parse(data);
  if (isPaused) waiting.set(id, html);
  else replace(id, html);
  tell();
});

pause.hidden = false;
pause.addEventListener("click", () => {
  isPaused = !isPaused;
  pause.setAttribute("aria-pressed", String(isPaused));
  if (!isPaused) {
    for (const [id, html] of waiting) replace(id, html);
    waiting.clear();
  }
  tell();
});

function tell() {
  const isOpen = source.readyState === EventSource.OPEN;
  const state = isPaused
    ? `Paused${waiting.size > 0 ? ", there is news" : ""}`
    : isOpen
      ? "Live"
      : "The service does not answer; trying again";
  // Set only when it changes, or it would be read out again and again.
  if (live.textContent !== state) live.textContent = state;
  live.dataset.state = isPaused ? "paused" : isOpen ? "live" : "lost";
}

/** What is open stays open, and what has the focus or was scrolled keeps it. */
function replace(id, html) {
  const old = document.getElementById(id);
  const template = document.createElement("template");
  template.innerHTML = html;
  const fresh = template.content.firstElementChild;
  if (!old || !fresh) return;
  for (const { id } of old.querySelectorAll("details[open]"))
    fresh.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  const focused = old.contains(document.activeElement)
    ? pathTo(old, document.activeElement)
    : undefined;
  const scrolled = [...old.querySelectorAll(".scroll")].map(
    ({ scrollLeft }) => scrollLeft,
  );
  old.replaceWith(fresh);
  fresh.querySelectorAll(".scroll").forEach((element, i) => {
    element.scrollLeft = scrolled[i] ?? 0;
  });
  if (focused) find(fresh, focused)?.focus({ preventScroll: true });
}

/** By its ID where it has one, else as the so manyth of its kind. */
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

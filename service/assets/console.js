// Keeps a page up to date: it asks for the page again every second, and a section that
// has changed takes the place of the old one. The service escapes every value.

const live = document.getElementById("live");
const pause = document.getElementById("pause");

/** How often the service is asked, in milliseconds. */
const EVERY_MS = 1_000;

/** How long an answer may take. A process that is stopped keeps connections open. */
const LONGEST_MS = 5_000;

/** Names the content of the page that is shown, so that only another one is sent. */
let version = "";
let isPaused = false;

pause.hidden = false;
pause.addEventListener("click", () => {
  isPaused = !isPaused;
  pause.textContent = isPaused ? "Resume" : "Pause";
  if (isPaused) tell("paused", "Paused");
});
void update();

async function update() {
  if (!isPaused) {
    const trouble = await refresh().catch(() => "does not answer");
    if (!isPaused && trouble)
      tell("lost", `The service ${trouble}; trying again`);
    else if (!isPaused) tell("live", "Live");
  }
  setTimeout(update, EVERY_MS);
}

/** Answers what is wrong with the service, if something is. */
async function refresh() {
  const headers = { "if-none-match": version };
  const signal = AbortSignal.timeout(LONGEST_MS);
  const answer = await fetch(location.href, { headers, signal });
  if (answer.status === 304) return undefined;
  if (!answer.ok) return `answers ${answer.status}`;
  const page = new DOMParser().parseFromString(
    await answer.text(),
    "text/html",
  );
  if (isPaused) return undefined;
  version = answer.headers.get("etag");
  // The first section of a page is always there.
  let last;
  for (const fresh of page.querySelectorAll("main > section")) {
    const old = document.getElementById(fresh.id);
    if (!old) last.after(fresh);
    else if (!old.isEqualNode(fresh)) replace(old, fresh);
    last = document.getElementById(fresh.id);
  }
  return undefined;
}

/** What has the focus or was scrolled keeps it. */
function replace(old, fresh) {
  const { id } = document.activeElement;
  const isInside = old.contains(document.activeElement);
  const boxes = "pre, .scroll";
  const scrolled = [...old.querySelectorAll(boxes)];
  const places = scrolled.map((box) => [box.scrollLeft, box.scrollTop]);
  old.replaceWith(fresh);
  fresh
    .querySelectorAll(boxes)
    .forEach((box, n) => box.scrollTo(...(places[n] ?? [0, 0])));
  if (isInside && id)
    document.getElementById(id)?.focus({ preventScroll: true });
}

function tell(state, text) {
  // Set only when it changes, or it would be read out again and again.
  if (live.textContent !== text) live.textContent = text;
  live.dataset.state = state;
}

// Loads the agent as a page does, with the options of the form, and shows what
// it answers. Nothing of an answer becomes HTML.

const form = document.getElementById("options");
const results = document.getElementById("results");
const { region } = form.dataset;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const began = performance.now();
  try {
    const result = await identify();
    show("Identified", began, result);
  } catch ({ name, code, message, event_id }) {
    show("Failed", began, { name, code, message, event_id });
  }
});

document.getElementById("forget").addEventListener("click", () => {
  const prefix = filled().storageKeyPrefix ?? "_vid_";
  const began = performance.now();
  const cookies = document.cookie.split("; ").map((pair) => pair.split("=")[0]);
  for (const name of cookies.filter((name) => name.startsWith(prefix)))
    document.cookie = `${name}=; path=/; max-age=0`;
  for (const name of Object.keys(localStorage))
    if (name.startsWith(prefix)) localStorage.removeItem(name);
  show("Forgotten", began, {
    kept: "nothing in this browser: the next visit is known by the device alone",
  });
});

/** The fields of the form that are filled in, by their names. */
function filled() {
  const given = [...new FormData(form)].filter(([, value]) => value !== "");
  return Object.fromEntries(given);
}

async function identify() {
  const { apiKey, storageKeyPrefix, linkedId, ...data } = filled();
  const { start, withoutDefault } = await import(
    `/${region}/web/v4/${encodeURIComponent(apiKey)}`
  );
  const lines = data.endpoints?.split("\n").map((line) => line.trim());
  const endpoints = lines?.filter((line) => line !== "");
  const agent = start({
    storageKeyPrefix,
    endpoints:
      endpoints && data.withoutDefault ? withoutDefault(endpoints) : endpoints,
  });
  const timeout = data.timeout && Number(data.timeout);
  return agent.get({ linkedId, timeout, tag: tagOf(data.tag) });
}

function tagOf(text) {
  try {
    return text && JSON.parse(text);
  } catch {
    return text;
  }
}

function show(title, began, value) {
  const article = document.createElement("article");
  const heading = document.createElement("h3");
  const text = document.createElement("pre");
  heading.textContent = `${title} after ${Math.round(performance.now() - began)} ms`;
  text.textContent = JSON.stringify(value, null, 2);
  text.tabIndex = 0;
  text.setAttribute("role", "group");
  text.setAttribute("aria-label", heading.textContent);
  article.className = "card";
  article.append(heading, text);
  results.querySelector(".empty")?.remove();
  results.prepend(article);
}

// Asks the service what the rules of the form decide, and shows its answers. The
// server escapes every value of them.

const form = document.getElementById("options");
const [visit, request, isPartial, environment, rules, doing, results] = [
  "visit",
  "request",
  "is-partial",
  "environment",
  "rules",
  "doing",
  "results",
].map((id) => document.getElementById(id));
const path = `/playground/${form.dataset.region}/rules`;
const query = new URLSearchParams(location.search);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void ask("decide", {
    rules: rules.value,
    request: request.value,
    isPartial: isPartial.checked,
  });
});
document
  .getElementById("replay")
  .addEventListener("click", () =>
    ask("replay", { rules: rules.value, environment: environment.value }),
  );
document.getElementById("restore").addEventListener("click", showRules);
environment.addEventListener("change", showRules);
visit.addEventListener("change", () => showRequest(visit.value));
void begin();

/** Begins with the rules and the request that the address names. */
async function begin() {
  const wanted = query.get("environment");
  if ([...environment.options].some(({ value }) => value === wanted))
    environment.value = wanted;
  const { region } = form.dataset;
  const [decision, event] = [query.get("decision"), query.get("event")];
  const of =
    decision !== null
      ? `/console/decisions/${region}/${encodeURIComponent(decision)}/request`
      : event !== null
        ? `/console/events/${region}/${encodeURIComponent(event)}/request`
        : "";
  const isListed = [...visit.options].some(({ value }) => value === of);
  visit.value = isListed ? of : "";
  await showRules();
  if (of !== "" && (await showRequest(of))) form.requestSubmit();
}

function showRules() {
  return showProgress("Loading the rules", async () => {
    const id = encodeURIComponent(environment.value);
    const answer = await answerTo(`${path}/in-force?environment=${id}`);
    rules.value = await answer.text();
  });
}

/** What an event does not contain is unknown; a decision has the whole request. */
function showRequest(address) {
  if (address === "") return false;
  return showProgress("Loading the request", async () => {
    const answer = await answerTo(address);
    request.value = JSON.stringify(await answer.json(), null, 2);
    isPartial.checked = address.startsWith("/console/events/");
  });
}

function ask(what, body) {
  return showProgress(
    what === "decide" ? "Deciding" : "Replaying",
    async () => {
      const answer = await answerTo(`${path}/${what}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const template = document.createElement("template");
      template.innerHTML = await answer.text();
      results.replaceChildren(template.content);
      results.scrollIntoView({ block: "nearest" });
      const [title, message] = ["h2", "p"].map(
        (tag) => results.querySelector(tag)?.textContent ?? "",
      );
      return `${title}: ${message}`.replace(/\s+/g, " ");
    },
  );
}

async function answerTo(address, options) {
  const answer = await fetch(address, options);
  if (!answer.ok) throw new Error(`the service answers ${answer.status}`);
  return answer;
}

/** Says what is being done, then what came of it. Answers whether it was done. */
async function showProgress(what, work) {
  doing.textContent = `${what} …`;
  try {
    doing.textContent = (await work()) ?? "";
    return true;
  } catch ({ message }) {
    doing.textContent = `${what} failed: ${message}.`;
    return false;
  }
}

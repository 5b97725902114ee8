// Identifies the visitor, and shows the result.

const seen = document.getElementById("seen");
const { address } = await (await fetch("/agent")).json();

try {
  const { start } = await import(address);
  const result = await start().get();
  show("Event", result.event_id);
  show("Sealed result", await opened(result));
  show("Webhook", await toldOf(result.event_id));
} catch (error) {
  // If a rule denies the request, the error is a FingerprintError with the code
  // "subscription_not_active".
  show(
    error.code === "subscription_not_active" ? "Refused" : "Failed",
    error.message,
  );
}

/** The server opens the sealed result. This page does not have the key. */
async function opened({ sealed_result }) {
  const answer = await fetch("/visits", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sealed_result }),
  });
  const { message, visitor, isKnown, bot, suspectScore } = await answer.json();
  if (!answer.ok) return message;
  return `opened by the shop: visitor ${visitor}, ${isKnown ? "seen before" : "new"}, bot ${bot}, suspect score ${suspectScore}`;
}

/** Asks for a moment whether the webhook has arrived. */
async function toldOf(event) {
  for (let n = 0; n < 10; n++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { hasArrived } = await (await fetch(`/visits/${event}`)).json();
    if (hasArrived) return "arrived, its signature is right";
  }
  return "has not arrived";
}

function show(name, text) {
  const term = document.createElement("dt");
  const detail = document.createElement("dd");
  term.textContent = name;
  detail.textContent = text;
  seen.append(term, detail);
}

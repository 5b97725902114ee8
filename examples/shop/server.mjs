// @ts-check
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { unseal, UnsealError } from "@devid/sdk/sealed-results";
import {
  parseWebhook,
  WEBHOOK_SIGNATURE_HEADER,
  WebhookError,
} from "@devid/sdk/webhooks";
import { fastify } from "fastify";

/**
 * The outputs of the stack, as `pulumi stack output --json --show-secrets` prints them.
 * @typedef {object} Settings
 * @property {string} publicKey
 * @property {string} signingKey
 * @property {(string | null)[]} sealingKeys `token` and, after a rotation, `previousToken`
 */

const HOST = "127.0.0.1";
const PORT = 8788;

/** Body of a visit. */
const VISIT = {
  type: "object",
  required: ["sealed_result"],
  properties: { sealed_result: { type: "string" } },
};

/** An older result does not come from the page that sends it. */
const LONGEST_VISIT_MS = 60_000;

const { DEVID_ENDPOINT: service, DEVID_REGION: region = "us" } = process.env;
/** @type {Settings} */
const settings = JSON.parse(await text(process.stdin));
const keys = settings.sealingKeys.filter((key) => key !== null);

/**
 * Events that pages have sent. Each event is accepted once.
 * @type {Set<string>}
 */
const shown = new Set();
/**
 * Events that webhooks have delivered.
 * @type {Set<string>}
 */
const arrived = new Set();

const app = fastify();

for (const { path, file, type } of [
  { path: "/", file: "index.html", type: "text/html" },
  { path: "/page.js", file: "page.js", type: "text/javascript" },
])
  app.get(path, async (_request, reply) =>
    reply.type(`${type}; charset=utf-8`).send(await readFile(pageFile(file))),
  );

/** The settings of the agent for the page. Everybody may see a public key. */
app.get("/agent", () => ({
  address: `${service}/${region}/web/v4/${settings.publicKey}`,
}));

/** Takes the agent's result from a page. Only the sealed result can be trusted. */
app.post("/visits", { schema: { body: VISIT } }, (request, reply) => {
  const { sealed_result } = /** @type {{ sealed_result: string }} */ (
    request.body
  );
  const sealed = Buffer.from(sealed_result, "base64");
  const event = unseal(sealed, keys);
  const { event_id, timestamp, bot, suspect_score, identification } = event;
  // Somebody may send a copied result of another visitor.
  if (shown.has(event_id) || Date.now() - timestamp > LONGEST_VISIT_MS)
    return reply.code(403).send({ message: "The result was shown before." });
  shown.add(event_id);
  console.log(`visit    ${event_id}  the sealed result was opened`);
  return reply.send({
    visitor: identification?.visitor_id,
    isKnown: identification?.visitor_found,
    bot,
    suspectScore: suspect_score,
  });
});
app.setErrorHandler(
  (/** @type {import("fastify").FastifyError} */ error, _request, reply) => {
    // The message of an UnsealError holds no part of the result or of a key.
    const status = error instanceof UnsealError ? 400 : error.statusCode;
    return reply.code(status ?? 500).send({ message: error.message });
  },
);

/** Whether the webhook has delivered the event of a visit. */
app.get("/visits/:event", ({ params }) => ({
  hasArrived: arrived.has(/** @type {{ event: string }} */ (params).event),
}));

/** The webhook of the stack. */
await app.register((scope, _options, done) => {
  // Keeps the body as bytes, because a signature is made from the bytes.
  scope.removeContentTypeParser("application/json");
  scope.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    (_request, body, parsed) => parsed(null, body),
  );
  scope.post("/webhook", async ({ headers, body }, reply) => {
    const signature = String(headers[WEBHOOK_SIGNATURE_HEADER]);
    try {
      const { event_id } = await parseWebhook(
        String(body),
        signature,
        settings.signingKey,
      );
      arrived.add(event_id);
      console.log(`webhook  ${event_id}  signed with the stack's key`);
      return await reply.code(200).send();
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      console.log("webhook  refused: it is not signed with the stack's key");
      return reply.code(403).send();
    }
  });
  done();
});

try {
  await app.listen({ host: HOST, port: PORT });
} catch (error) {
  console.error(`The shop cannot be at port ${PORT}: ${String(error)}`);
  process.exit(1);
}
console.log(`The shop is at http://${HOST}:${PORT}/ until Ctrl-C.`);

/** @param {string} name */
function pageFile(name) {
  return fileURLToPath(new URL(`page/${name}`, import.meta.url));
}

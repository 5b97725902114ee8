import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FORMS_OF_TIER } from "../helpers/forms-of-tier";
import { FormStack } from "../helpers/form-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { WebhookReceiver } from "../helpers/webhook-receiver";
import { openForTests } from "../helpers/open-for-tests";
import { declared } from "../helpers/engine-stack";

// Nothing may run after the last answer to the engine: each test waits for the engine's
// end, and then looks without waiting.

const workspace = openForTests(new LocalWorkspace());
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
beforeEach(() => {
  receiver.received.length = 0;
});
afterAll(() => receiver?.close());

describe.each(FORMS_OF_TIER)("a WebhookVerification in the %s form", (form) => {
  let stack: FormStack;

  beforeAll(async () => {
    stack = await FormStack.open(form, workspace.env);
  });
  afterAll(() => stack?.close());

  const declare = (url: string) =>
    stack.declare({
      resources: [
        declared("Webhook", "hook", { url }),
        declared("WebhookVerification", "verified", {
          webhookId: "$hook.id",
          url: "$hook.url",
          timeoutSeconds: 4,
        }),
      ],
    });
  const verified = async () =>
    (await workspace.list("webhooks")).map((webhook) => webhook.verified);
  const inState = async () =>
    (await stack.engine.resources()).map(({ urn }) => urn.split("::").at(-1));

  it("has sent the test event, and has its answer, when the engine ends", async () => {
    receiver.reply = { status: 200 };
    declare(receiver.url);
    expect(await stack.engine.up()).toMatchObject({ create: 3 });
    expect(receiver.received).toHaveLength(1);
    expect(await verified()).toEqual([true]);
    expect(await inState()).toContain("verified");
    const after = await stack.engine.preview("--expect-no-changes");
    expect(after.changes).toEqual({ same: 3 });
  });

  it("is replaced when the webhook moves, and fails the update when the new address does not answer with 200", async () => {
    receiver.reply = { status: 503 };
    declare(`${receiver.url}/moved`);
    const said = await stack.engine.failingUp();
    expect(said).toContain("was not verified within 4 s");
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook/moved"]);
    receiver.reply = { status: 200 };
    const changes = await stack.engine.up();
    expect(changes).toMatchObject({ same: 2, replace: 1 });
    expect(await verified()).toEqual([true]);
  });

  it("makes no call that changes something when it is destroyed", async () => {
    const mark = await workspace.mark();
    await stack.engine.operate("destroy", "--yes");
    expect(await workspace.writesSince(mark)).toEqual([
      expect.stringMatching(/^DELETE /),
    ]);
    expect(await verified()).toEqual([]);
  });
});

import { expect, it } from "vitest";
import { FORMS_OF_TIER } from "../helpers/forms-of-tier";
import { FormStack } from "../helpers/form-stack";
import { localForTest } from "../helpers/local-for-tests";
import { openForTest } from "../helpers/open-for-tests";
import { WebhookReceiver } from "../helpers/webhook-receiver";
import { declared } from "../helpers/engine-stack";

// Nothing may run after the last answer to the engine: the test waits for the engine's
// end, and then looks without waiting. test/provider/resources/webhook-verification.test.ts
// tests what a verification sends, when it fails, is replaced and is deleted.

it.each(FORMS_OF_TIER)(
  "a WebhookVerification in the %s form has sent the test event, and has its answer, when the engine ends",
  async (form) => {
    const workspace = await localForTest();
    const receiver = await WebhookReceiver.forTest();
    const stack = await openForTest(FormStack.open(form, workspace.env));
    stack.declare({
      resources: [
        declared("Webhook", "hook", { url: receiver.url }),
        declared("WebhookVerification", "verified", {
          webhookId: "$hook.id",
          url: "$hook.url",
          timeoutSeconds: 4,
        }),
      ],
    });
    expect(await stack.engine.up()).toMatchObject({ create: 3 });
    expect(receiver.received).toHaveLength(1);
    expect(await workspace.list("webhooks")).toMatchObject([
      { verified: true },
    ]);
    const inState = stack.engine.resources();
    expect(inState.map(({ urn }) => urn.split("::").at(-1))).toContain(
      "verified",
    );
    const after = await stack.engine.preview("--expect-no-changes");
    expect(after.changes).toEqual({ same: 3 });
  },
);

import { beforeEach, describe, expect, it } from "vitest";
import type { Properties } from "../../../provider/src/definition/value";
import type { Kind } from "../../helpers/provider-host";
import { sharedForTests } from "../../helpers/local-for-tests";
import { lifecycleOf, makeIn } from "../lifecycle-of";
import { sessionOf } from "../session-of";

// A resource hook `onError` may have the engine repeat a create or an update. The engine then
// passes the state from before the first attempt, whatever that attempt has left.

const workspace = sharedForTests();
beforeEach(() => workspace.reset());

const urn = "urn:pulumi:dev::shop::one";

/** The program of a new object, and another for an update. */
const PROGRAMS: readonly [Kind, string, Properties, Properties][] = [
  [
    "ApiKey",
    "api-keys",
    { name: "Shop", type: "public", status: "disabled" },
    { name: "Store", type: "public", status: "enabled" },
  ],
  [
    "ApiKey",
    "api-keys",
    { name: "Shop", type: "secret" },
    { name: "Store", type: "secret" },
  ],
  [
    "Webhook",
    "webhooks",
    { url: "https://shop.example", status: "disabled" },
    { url: "https://store.example" },
  ],
  ["Environment", "environments", { name: "Shop" }, { name: "Store" }],
  [
    "EncryptionKey",
    "encryption-keys",
    { status: "enabled" },
    { status: "disabled", rotation: "a" },
  ],
];

/** What happens to a writing call: its answer is lost, or it is refused. */
const FAULTS = [
  { call: "POST *", then: "reset", more: { after: true } },
  { call: "PATCH *", then: "reset", more: { after: true } },
  { call: "POST *", then: { status: 403 }, more: {} },
  { call: "PATCH *", then: { status: 403 }, more: {} },
];

const CASES = PROGRAMS.flatMap(([kind, collection, first, second]) =>
  FAULTS.map((fault) => ({ kind, collection, first, second, ...fault })),
);

/** Repeats work as the hook does. Returns what the last attempt returned or threw. */
async function repeated<T>(work: () => Promise<T>): Promise<T | Error> {
  try {
    return await work();
  } catch {
    return work().catch((error: Error) => error);
  }
}

describe.each(CASES)(
  "$kind $first, $call, $then",
  ({ kind, collection, first, second, call, then, more }) => {
    const ids = async () =>
      (await workspace.list(collection)).map(({ id }) => id);

    it("is made once, and the engine learns of it", async () => {
      const { session } = sessionOf(workspace);
      const before = await ids();
      await workspace.faultOnce(call, then, more);
      const made = await repeated(() => makeIn(session, kind, first, urn));
      const found = await ids();
      const isKey = kind === "EncryptionKey";
      expect(found).toHaveLength(before.length + (isKey ? 0 : 1));
      expect(found).toContain((made as { id?: string }).id);
    });

    it("is changed once", async () => {
      const { session } = sessionOf(workspace);
      const { id, state } = await makeIn(session, kind, first, urn);
      const lifecycle = lifecycleOf(kind, session);
      const { inputs } = await lifecycle.check({ urn, news: second });
      await workspace.faultOnce(call, then, more);
      const mark = await workspace.mark();
      const changed = await repeated(() =>
        lifecycle.update({ id, state, inputs, urn }),
      );
      expect(changed).toMatchObject({ state: second });
      const rotations = (await workspace.requestsSince(mark)).filter(
        ({ path, status }) => path.endsWith("/rotate") && status !== 403,
      );
      expect(rotations.length).toBeLessThan(2);
    });
  },
);

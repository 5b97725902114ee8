import { expect, it } from "vitest";
import { sharedForTests } from "../../helpers/local-for-tests";
import { KINDS, LIFE } from "../kind-rows";
import { lifecycleOf, makeIn } from "../lifecycle-of";
import { sessionOf } from "../session-of";

const workspace = sharedForTests();

const rule = { expression: "true", action: "deny", after: "" };

/** What somebody may write into a state in place of a value. */
const EDITED: readonly unknown[] = [
  ...["x", 5, true, null, {}, [], [5], [null], [rule]],
  ...[{ a: null }, { a: 5 }, { a: {} }, { a: { ...rule, after: "b" } }],
  ...[{ a: { ...rule, expression: 5 } }, { a: { ...rule, action: 5 } }],
];

// The creation of a verification waits for a receiver.
it.each(KINDS.filter((kind) => kind !== "WebhookVerification"))(
  "a preview of a state of %s that somebody edited fails in no error of JavaScript",
  async (kind) => {
    const { session } = sessionOf(workspace);
    const place = { url: workspace.url, webhook: "wh_1" };
    const [first, second] = LIFE[kind](place);
    const { id, state: whole, inputs } = await makeIn(session, kind, first);
    const lifecycle = lifecycleOf(kind, session);
    const check = { news: second, olds: inputs };
    const { inputs: news } = await lifecycle.check(check);
    const failures: unknown[] = [];
    for (const name of [...Object.keys(whole), "constructor"])
      for (const value of EDITED) {
        const state = { ...whole, [name]: value };
        for (const call of [
          () =>
            lifecycle.check({ ...check, olds: { ...inputs, [name]: value } }),
          () => lifecycle.diff({ id, state, news }),
          () => lifecycle.read({ id, state }),
          () => lifecycle.update({ id, state, inputs: news, dryRun: true }),
        ])
          try {
            await call();
          } catch (error) {
            const { name: type, stack } = error as Error;
            if (type === "Error" || type in globalThis)
              failures.push([name, value, stack]);
          }
      }
    expect(failures).toEqual([]);
  },
);

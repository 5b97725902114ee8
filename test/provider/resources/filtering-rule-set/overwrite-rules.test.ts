import { parseRuleFile, rulesDigest } from "@devid/rules";
import { describe, expect, it } from "vitest";
import { describeOverwritten } from "../../../../provider/src/resources/filtering-rule-set/overwrite-rules";
import { failure, rule, ruleSetScene } from "./rule-set-scene";

const scene = ruleSetScene();
const [a, b, c] = [rule("a"), rule("b"), rule("c", { action: "allow" })];
const x = rule("x", { status: "disabled" });

const X_TO_PUT_BACK = `rules:
  # after a
  - name: x
    expression: sdk.version == "/x"
    action: deny
    status: disabled
`;

const { add } = scene;

const LIST = "GET /filtering-rules";
const BULK = "POST /filtering-rules/bulk";

/** Waits until the service has received a call since a mark. */
const hasCome = (mark: number, call: string) =>
  expect
    .poll(() => scene.workspace.callsSince(mark), { timeout: 10_000 })
    .toContain(call);

/** Runs `work` between the list that an update relies on and the update's write. */
async function between(
  update: () => Promise<unknown>,
  work: () => unknown = () => add(x),
) {
  await scene.workspace.faultOnce(LIST, { delayMs: 500 }, { after: true });
  await scene.bulkFault({ then: { delayMs: 300 } });
  const mark = await scene.workspace.mark();
  const updating = update();
  // The caller awaits this promise later and gets its error.
  updating.catch(() => undefined);
  await hasCome(mark, LIST);
  await work();
  return updating;
}

/** The host's new messages. */
const outputOf = async (work: () => Promise<unknown>) => {
  const { length } = scene.host.stderr;
  await work();
  return scene.host.stderr.slice(length);
};

const lost = (environment: string) =>
  `The filtering rules of environment ${environment} are as declared, but 1 rule that somebody wrote during the update is overwritten and no longer in force. ` +
  `To put it back, add it to the rules of the environment:\n${X_TO_PUT_BACK}` +
  `The state has the rules that are in force: nothing else is left to do.`;

const overwritten = (environment: string) =>
  `1 rule of environment ${environment} that this resource did not write is overwritten and no longer in force. ` +
  `To put it back, add it to the rules of the environment:\n${X_TO_PUT_BACK}`;

describe("a rule that somebody adds between an update's list and its write", () => {
  it("causes an error with its text, and the state has the rules in force", async () => {
    await scene.up([a]);
    const error = await failure(between(() => scene.up([a, b])));
    expect(error.message).toBe(lost(scene.environment));
    expect(await scene.namesInForce()).toEqual(["a", "b"]);
    expect(scene.set.state).toMatchObject({
      ruleIds: await scene.idsInForce(),
      seenRuleIds: await scene.idsInForce(),
    });
    const calls = await scene.callsOf(() => scene.up([a, b]));
    expect(calls).toEqual([]);
    const { state } = scene.set;
    await scene.set.refresh();
    expect(scene.set.state).toEqual(state);
    expect(await scene.up([a, b])).toBe("same");
  });

  it("causes an error of a creation, which is in the state all the same", async () => {
    const { inputs } = await scene.host.check("FilteringRuleSet", {
      environment: scene.environment,
      rules: [b],
    });
    const error = await failure(
      between(
        () => scene.host.create("FilteringRuleSet", inputs),
        () => add(a).then(() => add(x)),
      ),
    );
    expect(error.message).toContain("2 rules that somebody wrote during");
    expect(error.message).toContain("  # the first\n  - name: a\n");
    expect(error.kept?.properties.ruleIds).toEqual(await scene.idsInForce());
    expect(await scene.namesInForce()).toEqual(["b"]);
  });

  it("is reported without an error when onDrift is overwrite", async () => {
    await scene.up([a], { onDrift: "overwrite" });
    const output = await outputOf(() =>
      between(() => scene.up([a, b], { onDrift: "overwrite" })),
    );
    expect(output).toContain(overwritten(scene.environment));
  });

  it("causes an error when the update has a digest of the rules it replaces, whatever onDrift is", async () => {
    await scene.up([a]);
    const expectedInForce = rulesDigest([
      { ...a, action: "deny", status: "enabled" },
    ]);
    const more = { onDrift: "overwrite", expectedInForce };
    const error = await failure(between(() => scene.up([a, b], more)));
    expect(error.message).toBe(lost(scene.environment));
    expect(await scene.up([a, b], more)).toBe("update");
  });

  it("is reported without an error by a destroy", async () => {
    await scene.up([a]);
    const output = await outputOf(() => between(() => scene.set.destroy()));
    expect(await scene.namesInForce()).toEqual([]);
    expect(output).toContain(overwritten(scene.environment));
  });

  it("is not lost when the update declares the same rule", async () => {
    await scene.up([a]);
    await between(() => scene.up([a, x]));
    expect(await scene.namesInForce()).toEqual(["a", "x"]);
  });

  it("causes an error when it is an edit of a rule of the set", async () => {
    await scene.up([a, x]);
    const edit = { expression: "sdk.version == '/y'" };
    const error = await failure(
      between(
        () => scene.up([a, x, b]),
        () => scene.edit("x", edit),
      ),
    );
    expect(error.message).toBe(
      lost(scene.environment).replace(
        'sdk.version == "/x"',
        "sdk.version == '/y'",
      ),
    );
  });
});

it("a rule that somebody adds right after the write stays in force, and the next refresh shows it", async () => {
  await scene.up([a]);
  await scene.workspace.faultOnce(LIST, { delayMs: 0 });
  await scene.workspace.faultOnce(LIST, { delayMs: 1_500 });
  const mark = await scene.workspace.mark();
  const updating = scene.up([a, b]);
  await hasCome(mark, BULK);
  await add(x);
  expect(await updating).toBe("update");
  expect(await scene.namesInForce()).toEqual(["a", "b", "x"]);
  await scene.set.refresh();
  expect(Object.keys(scene.set.state.rules as object)).toEqual(["a", "b", "x"]);
});

it("a list that fails beside a write is reported, and the write succeeds", async () => {
  await scene.up([a]);
  await scene.workspace.faultOnce(LIST, { delayMs: 0 });
  await scene.workspace.refuseOnce(
    { path: "/management/filtering-rules" },
    401,
  );
  const output = await outputOf(() => scene.up([a, b]));
  expect(await scene.namesInForce()).toEqual(["a", "b"]);
  expect(output).toContain(
    `devid could not check whether a rule that somebody added to environment ${scene.environment} at the same moment was overwritten: Listing filtering rules failed: 401`,
  );
});

describe("rules of others that a program overwrites on purpose", () => {
  it("are reported by a creation with takeOver", async () => {
    await scene.byHand([a, x]);
    const output = await outputOf(() => scene.up([a], { takeOver: true }));
    expect(output).toContain(overwritten(scene.environment));
  });

  it("are reported by an update that overwrites drift, without the program's own rules", async () => {
    await scene.up([a, b]);
    await add(x);
    const output = await outputOf(() =>
      scene.up([a, c], { onDrift: "overwrite" }),
    );
    expect(output).toContain(
      overwritten(scene.environment).replace("after a", "after b"),
    );
  });

  it("are reported by an update after a refresh has shown them", async () => {
    await scene.up([a]);
    await add(x);
    await scene.set.refresh();
    const output = await outputOf(() => scene.up([a]));
    expect(output).toContain(overwritten(scene.environment));
  });

  it("are not reported when all overwritten rules are the program's own", async () => {
    await scene.up([a, b]);
    const output = await outputOf(() => scene.up([c]));
    expect(output).not.toContain("no longer in force");
  });
});

describe("the text for putting rules back", () => {
  const placed = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      id: `tr_${i}`,
      rule: {
        name: `rule ${i}\u202e`,
        expression: `http.user_agent.string contains ": #${i}"\n|| true`,
        action: i % 2 === 0 ? ("allow" as const) : ("deny" as const),
        status: "enabled" as const,
      },
      after: i === 0 ? "" : `a\nb\u202e${i}`,
    }));
  const snippet = (text: string) => text.slice(text.indexOf("rules:\n"));

  it("is a rule file that parses to the same rules", () => {
    const rules = placed(3);
    const text = snippet(describeOverwritten("ae_1", rules, "before"));
    expect(text).toContain("  # after a\\nb\\u{202e}1\n");
    const read = parseRuleFile(text, "rules.yaml");
    expect(read.map(({ name }) => name)).toEqual(
      rules.map(({ rule }) => rule.name),
    );
    expect(read[2]?.expression.trimEnd()).toBe(rules[2]?.rule.expression);
  });

  it("has only the first of very many rules", () => {
    const text = describeOverwritten("ae_1", placed(500), "meanwhile");
    expect(text).toContain("500 rules that somebody wrote");
    expect(text).toMatch(
      /\n {2}# and 4\d\d more, which are too long to show\n/,
    );
    expect(text.length).toBeLessThan(10_000);
  });
});

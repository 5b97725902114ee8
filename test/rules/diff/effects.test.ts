import { describe, expect, it } from "vitest";
import { diffRules, type Rule, type RuleSetEffect } from "../../../rules/src";
import { describeChange } from "../../../rules/src/report/describe/describe-diff";
import { allow, rule } from "./rule";

const effectOf = (before: Rule[], after: Rule[]) =>
  diffRules(before, after).effect;

const CRAWLER = "http.user_agent.is_crawler_bot";
const IOS = "sdk.platform.is_ios";
const shop = (host: string) =>
  `http.request.headers['Origin'][0] == 'https://${host}'`;
const curl = rule("curl", "http.user_agent.string startsWith 'curl/'");
const all = (action: "allow" | "deny" = "deny") =>
  rule("all", "true", { action });

describe("the effect", () => {
  it.each<[string, RuleSetEffect["class"], Rule[], Rule[]]>([
    ["of a deny rule added", "broadens", [], [curl]],
    ["of a deny rule removed", "narrows", [curl], []],
    [
      "of an allow rule added before a deny rule",
      "narrows",
      [curl],
      [allow("a", IOS), curl],
    ],
    [
      "of an allow rule removed before a deny rule",
      "broadens",
      [allow("a", IOS), curl],
      [curl],
    ],
    ["of an allow rule as the last rule", "none", [], [allow("a", IOS)]],
    [
      "of a deny rule added after a rule that matches everything",
      "none",
      [all()],
      [all(), curl],
    ],
    [
      "of a rule that never matches",
      "none",
      [],
      [rule("r", `${IOS} && !${IOS}`)],
    ],
    [
      "of an allow rule with another host",
      "both",
      [allow("a", shop("a")), all()],
      [allow("a", shop("b")), all()],
    ],
    [
      "of a corrected header name that was never found",
      "narrows",
      [allow("a", shop("a").replace("Origin", "origin")), all()],
      [allow("a", shop("a")), all()],
    ],
    [
      "of a header name that is misspelt in another way",
      "none",
      [rule("a", "'origin' in http.request.headers")],
      [rule("a", "'ORIGIN' in http.request.headers")],
    ],
    [
      "of an allow rule with one more host",
      "narrows",
      [allow("a", shop("a")), all()],
      [allow("a", `${shop("a")} || ${shop("b")}`), all()],
    ],
    [
      "of a deny rule with one more alternative",
      "broadens",
      [rule("r", IOS)],
      [rule("r", `${IOS} || ${CRAWLER}`)],
    ],
    [
      "of a deny rule that becomes an allow rule",
      "narrows",
      [rule("r", IOS)],
      [allow("r", IOS)],
    ],
    [
      "of disabling a rule",
      "narrows",
      [curl],
      [{ ...curl, status: "disabled" }],
    ],
    [
      "of enabling a rule",
      "broadens",
      [{ ...curl, status: "disabled" }],
      [curl],
    ],
    [
      "of an edit of a disabled rule",
      "none",
      [{ ...curl, status: "disabled" }],
      [{ ...curl, expression: IOS, status: "disabled" }],
    ],
    [
      "of a disabled rule removed",
      "none",
      [{ ...curl, status: "disabled" }],
      [],
    ],
    [
      "of an allow rule moved before a deny rule",
      "narrows",
      [rule("d", CRAWLER), allow("a", IOS)],
      [allow("a", IOS), rule("d", CRAWLER)],
    ],
    [
      "of a move past rules of the same action",
      "none",
      [rule("d", CRAWLER), curl],
      [curl, rule("d", CRAWLER)],
    ],
    [
      "of a move past a rule that matches other requests",
      "none",
      [rule("d", IOS), allow("a", "sdk.platform.is_android")],
      [allow("a", "sdk.platform.is_android"), rule("d", IOS)],
    ],
    [
      "of a renamed rule",
      "none",
      [curl, rule("d", IOS)],
      [{ ...curl, name: "new" }, rule("d", IOS)],
    ],
    [
      "of an alternative removed that another rule decides",
      "none",
      [
        allow("first", IOS),
        rule("a", `${IOS} && ${CRAWLER} || sdk.platform.is_browser`),
      ],
      [allow("first", IOS), rule("b", "sdk.platform.is_browser")],
    ],
    [
      "of two rules joined into one",
      "none",
      [rule("a", IOS), rule("b", CRAWLER)],
      [rule("c", `${IOS} || ${CRAWLER}`)],
    ],
  ])("%s is: %s", (_, expected, before, after) => {
    expect(effectOf(before, after).class).toBe(expected);
  });

  it("comes with a request that shows it", () => {
    const { newlyDenied, newlyAllowed } = effectOf([], [curl]);
    expect(newlyAllowed).toEqual({ answer: "none" });
    if (newlyDenied.answer !== "found") expect.fail(newlyDenied.answer);
    expect(newlyDenied.request.userAgent).toMatch(/^curl\//);
  });

  it("of a step is measured after the steps before it", () => {
    const { changes, effect } = diffRules(
      [rule("old", IOS), all("allow")],
      [rule("new", IOS), all("allow")],
    );
    const classes = changes.map(({ kind, effect }) => [kind, effect.class]);
    expect(classes).toEqual([
      ["removed", "narrows"],
      ["added", "broadens"],
    ]);
    expect(effect.class).toBe("none");
  });
});

describe("the effect next to an invalid rule", () => {
  const unreadable = rule("x", "http.request.asn == 64512");
  const half = (before: Rule[], after: Rule[]) => {
    const { newlyDenied, newlyAllowed } = effectOf(before, after);
    return [newlyDenied.answer, newlyAllowed.answer];
  };

  it.each<[string, Rule[], Rule[], string[]]>([
    [
      "for a rule added after it",
      [unreadable],
      [unreadable, curl],
      ["cannot tell", "none"],
    ],
    [
      "for a rule added before it",
      [unreadable],
      [curl, unreadable],
      ["cannot tell", "none"],
    ],
    ["for the removal of that rule", [unreadable], [], ["none", "cannot tell"]],
    [
      "for a rule that never matches",
      [unreadable],
      [unreadable, rule("r", "false")],
      ["none", "none"],
    ],
    [
      "for a move that the invalid rule cannot affect",
      [curl, rule("d", IOS), unreadable],
      [rule("d", IOS), curl, unreadable],
      ["none", "none"],
    ],
    [
      "for an edit of that rule",
      [unreadable],
      [{ ...unreadable, expression: "http.request.asn == 1" }],
      ["cannot tell", "cannot tell"],
    ],
    [
      "for a disabled invalid rule",
      [{ ...unreadable, status: "disabled" }],
      [],
      ["none", "none"],
    ],
  ])("is right %s", (_, before, after, expected) => {
    expect(half(before, after)).toEqual(expected);
  });

  it("is certain for a move in front of that rule", () => {
    const deny = rule("d", CRAWLER);
    const [one, other] = [
      allow("a", IOS),
      allow("b", "sdk.platform.is_browser"),
    ];
    const classes = [
      diffRules([deny, one, unreadable], [one, deny, unreadable]),
      diffRules([deny, one, other, unreadable], [one, other, deny, unreadable]),
    ].map(({ changes }) => changes.map(({ effect }) => effect.class));
    expect(classes).toEqual([["narrows"], ["narrows"]]);
  });

  it.each([
    ["before it", [curl, unreadable], "none"],
    ["behind it", [unreadable, curl], "none"],
  ])(
    "is not reported as found for a deny rule added %s",
    (_, after, allowed) => {
      const [change] = diffRules([unreadable], after).changes;
      expect(change?.effect.newlyDenied.answer).toBe("cannot tell");
      expect(change?.effect.newlyAllowed.answer).toBe(allowed);
    },
  );

  it("counts what that rule may let through", () => {
    const rules = [{ ...unreadable, action: "allow" as const }, all()];
    expect(half(rules, [curl, ...rules])).toEqual(["cannot tell", "none"]);
  });

  it("is unknown for an action that only the service knows", () => {
    const ask = { ...curl, action: "ask" as Rule["action"] };
    const cannotTell = ["cannot tell", "cannot tell"];
    expect(half([], [ask])).toEqual(cannotTell);
    expect(half([all()], [ask, all()])).toEqual(cannotTell);
    expect(half([all("allow")], [ask, all("allow")])).toEqual(cannotTell);
    expect(half([ask], [curl])).toEqual(cannotTell);
    expect(half([all(), ask], [all()])).toEqual(["none", "none"]);
  });

  it("is unknown for a status that only the service knows", () => {
    const shadow = { ...curl, status: "shadow" as Rule["status"] };
    const trial = { ...curl, status: "trial" as Rule["status"] };
    const off = { ...curl, status: "disabled" as const };
    const cannotTell = ["cannot tell", "cannot tell"];
    expect(half([], [shadow])).toEqual(cannotTell);
    expect(half([shadow], [])).toEqual(cannotTell);
    expect(half([curl], [shadow])).toEqual(cannotTell);
    expect(half([off], [shadow])).toEqual(cannotTell);
    expect(half([shadow], [trial])).toEqual(cannotTell);
    expect(half([shadow], [shadow])).toEqual(["none", "none"]);
    expect(half([all(), shadow], [all()])).toEqual(["none", "none"]);
    const { changes, effect } = diffRules([curl], [shadow]);
    expect(effect.class).toBe("cannot tell");
    expect(changes.map((change) => describeChange(change, (t) => t))).toEqual([
      "status shadow",
    ]);
  });
});

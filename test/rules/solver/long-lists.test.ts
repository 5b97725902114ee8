import { all, findRequest, matches, not } from "@devid/rules";
import { describe, expect, it } from "vitest";
import { checked } from "../language/checked";

const ORIGIN = "http.request.headers['Origin'][0]";
const USER_AGENT = "http.user_agent.string";

const times = <Item>(count: number, item: (i: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => item(i));

const difference = (one: string, other: string) =>
  findRequest(all(matches(checked(one)), not(matches(checked(other)))));

describe.each<[string, (i: number) => string]>([
  [
    "networks",
    (i) => `http.request.ip in cidr('10.${i >> 8}.${i & 255}.0/24')`,
  ],
  ["origins", (i) => `${ORIGIN} == 'https://shop${i}.example'`],
  ["ends of origins", (i) => `${ORIGIN} endsWith '.shop${i}.example'`],
  ["parts of user agents", (i) => `${USER_AGENT} contains 'bot${i}/'`],
  ["any case", (i) => `${USER_AGENT} matches '(?i)bot${i}/'`],
  ["lower case", (i) => `lower(${USER_AGENT}) contains 'bot${i}/'`],
])("a chain of 400 %s", (_, item) => {
  const items = times(400, item);
  const whole = items.join(" || ");

  it("in another order is proven the same", () => {
    const reversed = items.toReversed().join(" || ");
    expect(difference(whole, reversed).answer).toBe("none");
    expect(difference(reversed, whole).answer).toBe("none");
  });

  it("without one of them differs by a request that is short", () => {
    const shorter = items.toSpliced(250, 1).join(" || ");
    const { answer, request } = difference(whole, shorter);
    expect(answer).toBe("found");
    expect(JSON.stringify(request).length).toBeLessThan(200);
    expect(difference(shorter, whole).answer).toBe("none");
  });
});

it.each([
  [`lower(sdk.version) == 'a777'`, "found"],
  [`lower(sdk.version) == 'b777'`, "none"],
  ["len(sdk.version) == 2", "found"],
  ["len(sdk.version) == 5", "none"],
])("a list of 1,000 versions and %s: %s", (condition, answer) => {
  const versions = times(1_000, (i) => `'A${i}'`);
  for (const list of [
    `sdk.version in [${versions.join(", ")}]`,
    versions.map((version) => `sdk.version == ${version}`).join(" || "),
  ])
    expect(
      findRequest(matches(checked(`(${list}) && ${condition}`))).answer,
    ).toBe(answer);
});

import {
  ConfigurationError,
  NotFoundError,
  ValidationError,
  type Client,
} from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { rejection, workspaceForTests } from "../workspace";

const workspace = workspaceForTests();

const rules = () => workspace.client().filteringRules;
const names = async () => (await rules().list()).map(({ name }) => name);
const rule = (name: string) => ({
  name,
  expression: `http.request.headers["Origin"][0] == "https://${name}.example"`,
  action: "deny" as const,
});

it("a bulk call for rules changes all rules or none, and names the refused rule", async () => {
  const error = await rejection(
    rules().bulk({
      environment: workspace.environment,
      rules: [rule("a"), { ...rule("b"), id: "fr_none" }],
    }),
  );
  expect(error).toBeInstanceOf(ValidationError);
  expect(error).toMatchObject({ violations: [{ property: "rules[1].id" }] });
  expect(error.message).toContain(
    `Writing 2 filtering rules to ${workspace.environment} failed: 400`,
  );
  expect(await names()).toEqual([]);
});

describe("a test of rules", () => {
  const testRequestPayload = {
    headers: { Origin: ["https://shop.example"] },
    userAgent: "curl/8.0",
  };

  // contract: management-181
  it("names the deciding rule of the given rules", async () => {
    const curl = "http.user_agent.string startsWith 'curl'";
    const deny = {
      expression: curl,
      action: "deny" as const,
      denyWith: "Forbidden" as const,
    };
    const test = (...given: (typeof deny)[]) =>
      rules().test({ rules: given, testRequestPayload });
    expect(await test(deny)).toEqual({
      result: "deny",
      denyWith: "Forbidden",
      triggeredRule: curl,
    });
    expect(await test()).toEqual({
      result: "allow",
      denyWith: null,
      triggeredRule: null,
    });
  });

  it("throws a named error if the past event does not exist", async () => {
    const { environment } = workspace;
    const error = await rejection(
      rules().test({ environment, testRequestId: "1700000000000.abc" }),
    );
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain("no event 1700000000000.abc");
  });

  // contract: management-182
  it("reads an answer without the envelope, too, like the vendor's client", async () => {
    const { environment } = workspace;
    const bare = { result: "deny", deny_with: null, triggered_rule: "true" };
    await workspace.fault({
      match: { path: "*/test" },
      times: 1,
      then: { status: 200, body: bare },
    });
    expect(await rules().test({ environment, testRequestPayload })).toEqual({
      result: "deny",
      denyWith: null,
      triggeredRule: "true",
    });
  });

  it("says if the service does not support the call", async () => {
    const body = { error: { code: "not_found", message: "Cannot POST" } };
    const then = { status: 404, body };
    await workspace.fault({ match: { path: "*/test" }, times: 2, then });
    const given = [{ expression: "true", action: "deny" }] as const;
    const error = await rejection(
      rules().test({ rules: given, testRequestPayload }),
    );
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toSay("test-rules/no-such-operation");
    const { environment } = workspace;
    const ofEvent = await rejection(
      rules().test({ environment, testRequestId: "1.a" }),
    );
    expect(ofEvent.message).not.toContain("seems");
  });

  it("is repeated, because it changes nothing", async () => {
    const { environment } = workspace;
    await workspace.fault({
      match: { path: "*/test" },
      times: 1,
      then: { status: 503 },
    });
    await rules().test({ environment, testRequestPayload });
    expect(await workspace.requests()).toEqual([
      "POST /filtering-rules/test 503",
      "POST /filtering-rules/test 200",
    ]);
  });
});

it.each<[string, (client: Client) => Promise<unknown>]>([
  ["list", ({ filteringRules }) => filteringRules.list()],
  ["get", ({ filteringRules }) => filteringRules.get("tr_1")],
  [
    "bulk",
    ({ filteringRules }) => filteringRules.bulk({ rules: [rule("shop")] }),
  ],
  ["delete", ({ filteringRules }) => filteringRules.delete("tr_1")],
  [
    "test",
    ({ filteringRules }) =>
      filteringRules.test({ rules: [], testRequestPayload: {} }),
  ],
])(
  "calls for filtering rules with version 2024-05-20 are refused before they are sent: %s",
  async (_, call) => {
    const client = workspace.client({}, { apiVersion: "2024-05-20" });
    const before = await workspace.requests();
    const error = await rejection(call(client));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toSay("rules/old-api-version");
    expect(await workspace.requests()).toEqual(before);
    // For other calls, the service decides about the version.
    expect(await rejection(client.webhooks.list())).toBeInstanceOf(
      ValidationError,
    );
  },
);

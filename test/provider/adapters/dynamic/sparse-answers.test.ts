import { afterEach, describe, expect, it } from "vitest";
import type {
  DynamicHost,
  Kind,
  Properties,
} from "../../../helpers/dynamic-host";
import { HostedResource } from "../../../helpers/hosted-resource";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { hostForTests } from "../../host-for-tests";

let host: DynamicHost;
const workspace = openForTests(new LocalWorkspace());
hostForTests(workspace, (started) => (host = started));
afterEach(() => workspace.forgetFaults());

const rule = { name: "first", expression: "true", action: "deny" };

/** The fields that the contract requires in each answer, and which optional fields may be null instead of absent. */
const ANSWERS: Record<
  Kind,
  {
    readonly program: Properties;
    readonly path: string;
    readonly least: Properties;
    readonly nullable: readonly string[];
  }
> = {
  ApiKey: {
    program: { name: "Shop", type: "secret", status: "disabled" },
    path: "/management/api-keys*",
    least: { id: "tok_1", name: "Shop", type: "secret", status: "disabled" },
    nullable: [
      "description",
      "environment",
      "rate_limit",
      "token",
      "created_at",
      "disabled_at",
    ],
  },
  EncryptionKey: {
    program: { environment: "ae_first", status: "enabled" },
    path: "/management/encryption-keys*",
    least: { id: "ek_1", status: "enabled", environment: "ae_first" },
    nullable: [
      "name",
      "description",
      "created_at",
      "last_activated_at",
      "last_deactivated_at",
      "last_rotated_at",
      "previous_token",
      "token",
      "next_token",
    ],
  },
  Environment: {
    program: { name: "Staging" },
    path: "/management/environments*",
    least: { id: "ae_1", name: "Staging" },
    nullable: [
      "description",
      "limit_mode",
      "limit_value",
      "is_restricted",
      "restricted_at",
      "created_at",
      "updated_at",
    ],
  },
  FilteringRuleSet: {
    program: { environment: "ae_first", rules: [rule], takeOver: true },
    path: "/management/filtering-rules*",
    least: { id: "tr_1", ...rule, status: "enabled" },
    nullable: ["environment", "deny_with", "created_at", "updated_at"],
  },
  Webhook: {
    program: { url: "https://shop.example/hook" },
    path: "/management/webhooks*",
    least: {
      id: "wh_1",
      url: "https://shop.example/hook",
      status: "enabled",
    },
    nullable: [
      "description",
      "verified",
      "environment",
      "legacy",
      "basic_auth",
      "created_at",
      "signing_key",
      "last_enabled_at",
      "last_disabled_at",
    ],
  },
};
const LISTED: readonly Kind[] = ["EncryptionKey", "FilteringRuleSet"];

describe.each(Object.keys(ANSWERS) as Kind[])("%s", (kind) => {
  const { path, least, nullable } = ANSWERS[kind];
  const nulls = Object.fromEntries(nullable.map((name) => [name, null]));

  it.each([
    ["absent", least],
    ["null", { ...nulls, ...least, id: `${String(least.id)}_null` }],
  ])(
    "is created, read and updated when every optional field of the answer is %s",
    async (_, given) => {
      let record: Properties = given;
      // Each run needs its own object: an environment has only one rule set and one encryption key.
      const isFirst = record.id === least.id;
      const program =
        LISTED.includes(kind) && !isFirst
          ? { ...ANSWERS[kind].program, environment: "ae_second" }
          : ANSWERS[kind].program;
      const answer = (match: object, data: unknown) =>
        workspace.fault({ match, then: { status: 200, body: { data } } });
      const { environment } = program;
      if (kind === "EncryptionKey") record = { ...record, environment };
      if (LISTED.includes(kind))
        await answer({ method: "GET", path: path.slice(0, -1) }, [record]);
      if (kind === "FilteringRuleSet") {
        await answer({ path }, [record]);
        await answer({ path: "/management/environments" }, [
          { id: "ae_first", name: "Default" },
          { id: "ae_second", name: "Staging" },
        ]);
      } else if (kind === "Environment") {
        await answer({ method: "GET", path }, [record]);
      }
      await answer({ path }, record);

      const resource = new HostedResource(host, kind);
      expect(await resource.up(program)).toBe("create");
      expect(Object.values(resource.state)).not.toContain(null);
      const { state } = resource;
      expect(await resource.refresh()).toBe(true);
      expect(resource.state).toEqual(state);
      expect(await resource.up(program)).toBe("same");
      const { inputs } = await host.check(kind, program, {});
      const updated = await host.update(kind, resource.id, state, inputs);
      expect(updated).toEqual(state);
    },
  );
});

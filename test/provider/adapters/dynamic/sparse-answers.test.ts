import { describe, expect, it } from "vitest";
import type { Kind } from "../../../helpers/provider-host";
import type { Properties } from "../../../simulation/engine/property-value";
import { HostedResource } from "../../../helpers/hosted-resource";
import { hostForTests } from "../../host-for-tests";
import { ANSWERS, KINDS } from "../../kind-rows";

const { workspace, host } = hostForTests();

const LISTED: readonly Kind[] = ["EncryptionKey", "FilteringRuleSet"];

describe.each(KINDS)("%s", (kind) => {
  const { path, least, record: whole } = ANSWERS[kind];
  const nulls = Object.fromEntries(
    Object.keys(whole.shape).map((name) => [name, null]),
  );

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
      if (kind === "WebhookVerification") record = { ...record, id: least.id };
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

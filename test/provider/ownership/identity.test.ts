import { describe, expect, it } from "vitest";
import { localForTests } from "../../helpers/local-for-tests";
import { LEAST_INPUTS } from "../kind-rows";
import { commandOn, makeIn } from "../lifecycle-of";
import { sessionOf } from "../session-of";

const workspace = localForTests();

const defaultEnvironment = async () =>
  String((await workspace.list("environments"))[0]?.id);
const urnOf = (name: string) => `urn:pulumi:test::shop::devid::${name}`;

describe.each(["EncryptionKey", "FilteringRuleSet"] as const)(
  "two resources of the kind %s for the default environment",
  (kind) => {
    const omitted = LEAST_INPUTS[kind];
    const literal = async () => ({
      ...omitted,
      environment: await defaultEnvironment(),
    });

    it.each(["the first", "the second"])(
      "are refused in the preview where %s names it by its ID, and at most one list is read",
      async (which) => {
        const both = [omitted, await literal()];
        if (which === "the first") both.reverse();
        const lifecycle = commandOn(workspace).lifecycle(kind);
        const mark = await workspace.mark();
        const checks = [];
        for (const [at, news] of both.entries())
          checks.push(
            (await lifecycle.check({ news, urn: urnOf(`${at}`) })).failures,
          );
        expect(checks).toEqual([
          [],
          [
            {
              property: "",
              reason: expect.stringMatching(
                /^Another .* has the .* of (the default )?environment\b.* Declare only one/,
              ) as string,
            },
          ],
        ]);
        const calls = (await workspace.callsSince(mark)).filter(
          (call) => call === "GET /environments",
        );
        expect(calls.length).toBeLessThan(2);
        expect(await workspace.writesSince(mark)).toEqual([]);
      },
    );

    /** A resource that leaves the environment out is in the state of a new run. */
    const inState = async () => {
      const old = { urn: urnOf("old"), news: omitted };
      const first = sessionOf(workspace).session;
      const made = await makeIn(first, kind, omitted, old.urn);
      const { id, state, inputs } = made;
      const lifecycle = commandOn(workspace).lifecycle(kind);
      return {
        check: () => lifecycle.check({ ...old, olds: inputs }),
        diff: () => lifecycle.diff({ urn: old.urn, id, state, news: inputs }),
        checkOfNew: async () => {
          const takeOver = kind === "FilteringRuleSet" && { takeOver: true };
          const news = { ...(await literal()), ...takeOver };
          return lifecycle.check({ news, urn: urnOf("new") });
        },
      };
    };

    it("are refused where one is in the state", async () => {
      const { check, diff, checkOfNew } = await inState();
      await check();
      diff();
      const { failures } = await checkOfNew();
      expect(failures.map(({ reason }) => reason).join()).toContain(
        "Declare only one",
      );
    });

    it("are refused in the preview where the new one comes before the one in the state", async () => {
      const { check, diff, checkOfNew } = await inState();
      const mark = await workspace.mark();
      expect((await checkOfNew()).failures).toEqual([]);
      await check();
      expect(diff).toThrow("another resource would take it over");
      expect(await workspace.writesSince(mark)).toEqual([]);
    });

    it("pass where they name different environments", async () => {
      const staging = await workspace.make("/environments", {
        name: "Staging",
      });
      const lifecycle = commandOn(workspace).lifecycle(kind);
      for (const [at, news] of [
        omitted,
        { ...omitted, environment: staging.id },
      ].entries())
        expect(
          (await lifecycle.check({ news, urn: urnOf(`${at}`) })).failures,
        ).toEqual([]);
    });
  },
);

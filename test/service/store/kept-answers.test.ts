import fc from "fast-check";
import type { Event } from "@devid/sdk";
import { expect, it } from "vitest";
import { Clock } from "../../../service/src/clock";
import { completeEvent } from "../../../service/src/control/add-events";
import { DEVELOPMENT_KEYS } from "../../../service/src/keys";
import { openStore } from "../../../service/src/store/store";

/** A store, and a function that answers without its cache. */
function open() {
  const clock = new Clock();
  const store = openStore(":memory:", clock, DEVELOPMENT_KEYS);
  const asStored = <T>(ask: () => T): T => {
    store.events.forgetRecent();
    // A rolled back transaction empties the cache of the store.
    expect(() =>
      store.transaction(() => {
        throw new Error("forget");
      }),
    ).toThrow("forget");
    return ask();
  };
  return { clock, store, asStored };
}

const few = fc.constantFrom("a", "b");
const step = fc.oneof(
  fc.record({ do: fc.constant("insert" as const), who: few, linked: few }),
  fc.record({ do: fc.constant("undo" as const), who: few, linked: few }),
  fc.record({ do: fc.constant("ask" as const), who: few, linked: few }),
  fc.record({ do: fc.constant("replace" as const), who: few, linked: few }),
  fc.record({ do: fc.constant("delete" as const), who: few, linked: few }),
  fc.record({ do: fc.constant("reset" as const), who: few, linked: few }),
);

it("the cached last events of a visitor equal the stored events after any changes", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const { clock, store, asStored } = open();
      const { events } = store;
      const made: Event[] = [];
      const eventOf = (who: string, linked_id: string) =>
        completeEvent(
          {
            linked_id,
            identification: { visitor_id: who, visitor_found: true },
          },
          clock.nowMs(),
          "ae_1",
        );
      const ask = () =>
        ["a", "b"].flatMap((value) => [
          events.newest("us", "identification_visitor_id", value),
          events.newest("us", "linked_id", value),
        ]);
      for (const { do: what, who, linked } of steps) {
        const event = eventOf(who, linked);
        const [first] = made;
        if (what === "insert") {
          events.insert("us", [event]);
          made.push(event);
        } else if (what === "undo") {
          expect(() =>
            store.transaction(() => {
              events.insert("us", [event]);
              throw new Error("undone");
            }),
          ).toThrow("undone");
        } else if (what === "replace" && first) {
          const row = events.get("us", first.event_id);
          if (row) events.replace(row.seq, { ...first, linked_id: linked });
        } else if (what === "delete") {
          events.deleteOf(
            { workspace: "us", visitorId: who, sinceMs: 0 },
            1_000,
          );
        } else if (what === "reset") store.reset();
        else ask();
      }
      const kept = ask();
      expect(kept).toEqual(asStored(ask));
      store.close();
    }),
    { numRuns: 150 },
  );
});

it("the cached keys, webhooks, rules and settings equal the stored values after any changes", () => {
  const change = fc.constantFrom(
    "key",
    "disable",
    "webhook",
    "remove",
    "rules",
    "settings",
    "environment",
    "undo",
    "reset",
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 15 }), (changes) => {
      const { store, asStored } = open();
      const { apiKeys, webhooks, filteringRules, environments } = store;
      const home = () => environments.default("us")?.id ?? "";
      const tokens = ["local-secret-us", "local-public-us"];
      const ask = () => [
        ...tokens.map((token) => apiKeys.withToken(token)),
        webhooks.receiving("us", home()),
        environments.default("us"),
        store.settings.get("us"),
        store.encryptionKeys.of(home()),
      ];
      const apply = (what: string) => {
        const { id: key = "" } = apiKeys.withToken(tokens.at(-1) ?? "") ?? {};
        const [hook] = webhooks.receiving("us", home());
        if (what === "key")
          tokens.push(
            apiKeys.create("us", { type: "secret", name: "n" }, null).token,
          );
        else if (what === "disable")
          apiKeys.update("us", key, { status: "disabled" });
        else if (what === "webhook")
          webhooks.create("us", {
            url: "https://shop.example",
            verified: true,
          });
        else if (what === "remove" && hook) webhooks.remove("us", hook.id);
        else if (what === "rules")
          filteringRules.overwrite("us", home(), [
            { name: "a", expression: "true", action: "deny" },
          ]);
        else if (what === "settings")
          store.settings.set("us", `{"zeroTrust":${tokens.length % 2 === 0}}`);
        else if (what === "environment")
          environments.create("us", { name: `e${tokens.length}` });
        else if (what === "reset") store.reset();
      };
      for (const what of changes) {
        ask();
        if (what !== "undo") apply(what);
        else
          expect(() =>
            store.transaction(() => {
              apply("webhook");
              apply("settings");
              ask();
              throw new Error("undone");
            }),
          ).toThrow("undone");
      }
      const kept = ask();
      expect(kept).toEqual(asStored(ask));
      store.close();
    }),
    { numRuns: 100 },
  );
});

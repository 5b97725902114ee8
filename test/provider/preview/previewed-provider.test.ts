import { expect, it, vi } from "vitest";
import { connectPreviewed } from "../../../provider/src/preview/previewed-provider";

const STRANGER = "https://stranger.example";
const sourceOf = (name: string, address: string) => ({
  settings: { region: "eu", [name]: address },
  describe: () => "the preview",
});

it.each([
  ["endpoint", "http://127.0.0.1:9"],
  ["endpoint", "https://own.example"],
  ["eventsUrl", "https://own.example/events"],
  ["eventsUrl", "https://eu.api.fpjs.io"],
])("keys go to %s %s of a preview", (name, address) => {
  vi.stubEnv("DEVID_ENDPOINT", "https://own.example");
  connectPreviewed([sourceOf(name, address)]);
});

it.each([
  ["endpoint", STRANGER],
  ["managementUrl", `${STRANGER}/management`],
  ["eventsUrl", STRANGER],
  ["drnUrl", STRANGER],
  ["endpoint", "https://own.example:444"],
  ["endpoint", "https://127.0.0.1.stranger.example"],
  ["endpoint", "https://eu.api.fpjs.io.stranger.example"],
])("no key goes to %s %s, which only a preview names", (name, address) => {
  vi.stubEnv("DEVID_ENDPOINT", "https://own.example");
  expect(() => connectPreviewed([sourceOf(name, address)])).toThrow(
    `The preview names the address ${new URL(address).origin}, which the environment does not.`,
  );
});

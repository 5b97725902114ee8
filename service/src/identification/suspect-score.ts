import type { Event } from "@devid/sdk";

/** What each signal adds when it is there: our own choice (docs/assumptions.md, A164). */
const WEIGHTS = {
  cloned_app: 5,
  developer_tools: 2,
  emulator: 8,
  frida: 8,
  high_activity_device: 5,
  incognito: 2,
  jailbroken: 5,
  location_spoofing: 8,
  mitm_attack: 8,
  privacy_settings: 2,
  proxy: 5,
  rare_device: 2,
  root_apps: 5,
  simulator: 8,
  tampering: 10,
  virtual_machine: 5,
  vpn: 5,
} as const satisfies Partial<Record<keyof Event, number>>;

const BAD_BOT = 20;

/** The weighted sum of the signals of an event. */
export function suspectScore(event: Partial<Event>): number {
  return Object.entries(WEIGHTS).reduce(
    (sum, [signal, weight]) => (event[signal] === true ? sum + weight : sum),
    event.bot === "bad" ? BAD_BOT : 0,
  );
}

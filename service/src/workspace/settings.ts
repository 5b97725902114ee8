import type { Region } from "@devid/sdk";
import { z } from "zod";
import type { Store } from "../store/store";

/**
 * The signals that a workspace can switch on, and the members of an event that
 * belong to each.
 */
export const SIGNALS = {
  active_call: ["active_call"],
  bot: ["bot", "bot_type"],
  bot_info: ["bot_info"],
  cloned_app: ["cloned_app"],
  developer_tools: ["developer_tools"],
  emulator: ["emulator"],
  factory_reset: ["factory_reset_timestamp"],
  frida: ["frida"],
  high_activity_device: ["high_activity_device"],
  incognito: ["incognito"],
  ip_blocklist: ["ip_blocklist"],
  ip_info: ["ip_info"],
  jailbroken: ["jailbroken"],
  labels: ["labels"],
  location_spoofing: ["location_spoofing"],
  mitm_attack: ["mitm_attack"],
  privacy_settings: ["privacy_settings"],
  proximity: ["proximity"],
  proxy: ["proxy", "proxy_confidence", "proxy_details", "proxy_ml_score"],
  rare_device: ["rare_device", "rare_device_percentile_bucket"],
  raw_device_attributes: ["raw_device_attributes"],
  root_apps: ["root_apps"],
  simulator: ["simulator"],
  tampering: [
    "tampering",
    "tampering_confidence",
    "tampering_ml_score",
    "tampering_details",
  ],
  velocity: ["velocity"],
  virtual_machine: ["virtual_machine", "virtual_machine_ml_score"],
  vpn: [
    "vpn",
    "vpn_confidence",
    "vpn_ml_score",
    "vpn_origin_timezone",
    "vpn_origin_country",
    "vpn_methods",
  ],
} as const;

/** Name of a signal. */
type Signal = keyof typeof SIGNALS;

/** Every signal. */
const SIGNAL_NAMES = Object.keys(SIGNALS) as [Signal, ...Signal[]];

const NOTHING: ReadonlySet<string> = new Set();

/**
 * The members of events that answers leave out. The suspect score is computed from
 * signals, so it is left out if no signal is switched on.
 */
export function hiddenMembers(
  activated: readonly Signal[] | "all",
): ReadonlySet<string> {
  if (activated === "all") return NOTHING;
  const hidden = SIGNAL_NAMES.filter((name) => !activated.includes(name));
  return new Set([
    ...hidden.flatMap((name): readonly string[] => SIGNALS[name]),
    ...(activated.length === 0 ? ["suspect_score"] : []),
  ]);
}

/** The settings of a workspace that a control call can change. */
export const Settings = z.strictObject({
  lookbackDays: z
    .int()
    .min(7)
    .max(90)
    .describe("How far back searches may look."),
  signals: z
    .union(
      [z.literal("all"), z.array(z.enum(SIGNAL_NAMES))],
      `must be "all" or an array of ${SIGNAL_NAMES.join(", ")}`,
    )
    .describe("Activated signals; the others are left out of every event."),
  zeroTrust: z.boolean(),
  identification: z.boolean(),
  sealed: z.boolean(),
  visitorDeletion: z
    .boolean()
    .describe(
      "Whether visitors may be deleted; the public service needs a plan for it.",
    ),
  relatedVisitors: z
    .boolean()
    .describe(
      "Whether related visitors are answered; an option of the public service.",
    ),
});

/** Settings of a workspace. */
export type Settings = z.output<typeof Settings>;

const DEFAULTS: Settings = {
  lookbackDays: 90,
  signals: "all",
  zeroTrust: false,
  identification: true,
  sealed: false,
  visitorDeletion: false,
  relatedVisitors: false,
};

/** The settings in force in a workspace. */
export function settingsOf(store: Store, workspace: Region): Settings {
  const changed = store.settings.get(workspace) ?? "{}";
  // Stored settings were checked when they were stored.
  return { ...DEFAULTS, ...(JSON.parse(changed) as Partial<Settings>) };
}

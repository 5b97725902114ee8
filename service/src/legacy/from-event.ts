import type { Event } from "@devid/sdk";
import type { EventRecord, LegacyEvent, LegacyProduct } from "@devid/sdk/wire";
import type { z } from "zod";
import { addressesOf } from "./from-address";
import { legacyIdentification } from "./from-identification";
import { rawAttributesOf } from "./from-raw-attributes";
import {
  blocklistOf,
  botOf,
  proxyOf,
  tamperingOf,
  velocityOf,
  vpnOf,
} from "./from-signals";
import { camelDeep, isoTime } from "./old-names";

/** A member of an event that the record names. */
type Member = keyof typeof EventRecord.shape;

/** The `data` of a product, out of an event; undefined: the event lacks it. */
type Translation = (event: Event) => object | undefined;

/** A product that is no more than a result, out of the signal of that name. */
const result =
  (name: Member): Translation =>
  ({ [name]: result }) =>
    (result ?? undefined) === undefined ? undefined : { result };

/** A product that has the members of the signal of that name. */
const renamed =
  (name: Member): Translation =>
  ({ [name]: signal }) =>
    camelDeep(signal ?? undefined) as object | undefined;

/** Every product and where it comes from (docs/assumptions.md, A64). */
const PRODUCTS: Readonly<Record<LegacyProduct, Translation>> = {
  identification: legacyIdentification,
  botd: botOf,
  rootApps: result("root_apps"),
  emulator: result("emulator"),
  ipInfo: addressesOf,
  ipBlocklist: blocklistOf,
  tor: ({ ip_blocklist: list }) =>
    (list?.tor_node ?? undefined) === undefined
      ? undefined
      : { result: list?.tor_node },
  vpn: vpnOf,
  proxy: proxyOf,
  incognito: result("incognito"),
  tampering: tamperingOf,
  clonedApp: result("cloned_app"),
  factoryReset: ({ factory_reset_timestamp: timestamp }) =>
    (timestamp ?? undefined) === undefined
      ? undefined
      : { time: isoTime(timestamp), timestamp },
  jailbroken: result("jailbroken"),
  frida: result("frida"),
  privacySettings: result("privacy_settings"),
  virtualMachine: result("virtual_machine"),
  rawDeviceAttributes: rawAttributesOf,
  highActivity: result("high_activity_device"),
  locationSpoofing: result("location_spoofing"),
  velocity: velocityOf,
  developerTools: result("developer_tools"),
  mitmAttack: result("mitm_attack"),
  proximity: renamed("proximity"),
  suspectScore: result("suspect_score"),
  remoteControl: () => undefined,
  rareDevice: ({ rare_device, rare_device_percentile_bucket }) =>
    (rare_device ?? undefined) === undefined
      ? undefined
      : {
          result: rare_device,
          percentileBucket: rare_device_percentile_bucket,
        },
  labels: renamed("labels"),
};

/** An event in the shape of version 3 (docs/contract.md, "Legacy event"); what the event lacks is left out. */
export function legacyEvent(event: Event): z.input<typeof LegacyEvent> {
  const products = Object.entries(PRODUCTS).flatMap(([name, translate]) => {
    const data = translate(event);
    return data === undefined ? [] : [[name, { data }] as const];
  });
  return { products: Object.fromEntries(products) };
}

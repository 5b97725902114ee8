import { z } from "zod";
import { openEnum } from "../../open-enum";
import { IpInfo } from "./ip-info";
import { Level, Ratio, Timestamp } from "./scalars";

/** Kinds of proxy. */
export const PROXY_TYPES = ["residential", "data_center", "unknown"] as const;

/** Lists that an address may stand on. */
export const IpBlocklist = z.looseObject({
  email_spam: z.boolean().nullish(),
  attack_source: z.boolean().nullish(),
  tor_node: z.boolean().nullish(),
});

/** How a VPN was recognised. */
export const VpnMethods = z.looseObject({
  timezone_mismatch: z.boolean().nullish(),
  public_vpn: z.boolean().nullish(),
  auxiliary_mobile: z.boolean().nullish(),
  os_mismatch: z.boolean().nullish(),
  relay: z.boolean().nullish(),
  ml_prediction: z.boolean().nullish(),
});

/** The members of an event that tell of its network: address, proxy, VPN. */
export const networkSignals = {
  ip_blocklist: IpBlocklist.nullish(),
  ip_info: IpInfo.nullish(),
  proxy: z.boolean().nullish(),
  proxy_confidence: Level.nullish(),
  proxy_details: z
    .looseObject({
      proxy_type: openEnum(PROXY_TYPES).nullable(),
      last_seen_at: Timestamp.nullish(),
      provider: z.string().nullish(),
    })
    .nullish(),
  proxy_ml_score: Ratio.nullish(),
  vpn: z.boolean().nullish(),
  vpn_confidence: Level.nullish(),
  vpn_ml_score: Ratio.nullish(),
  vpn_origin_timezone: z.string().nullish(),
  vpn_origin_country: z.string().nullish(),
  vpn_methods: VpnMethods.nullish(),
};

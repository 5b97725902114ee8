import { z } from "zod";
import { openEnum } from "../../open-enum";
import { IpInfo } from "./ip-info";
import { Level, Ratio, Timestamp } from "./scalars";

/** Kinds of proxy. */
export const PROXY_TYPES = ["residential", "data_center", "unknown"] as const;

/** Lists that an address may stand on. */
export const IpBlocklist = z.looseObject({
  email_spam: z.boolean().optional(),
  attack_source: z.boolean().optional(),
  tor_node: z.boolean().optional(),
});

/** How a VPN was recognised. */
export const VpnMethods = z.looseObject({
  timezone_mismatch: z.boolean().optional(),
  public_vpn: z.boolean().optional(),
  auxiliary_mobile: z.boolean().optional(),
  os_mismatch: z.boolean().optional(),
  relay: z.boolean().optional(),
  ml_prediction: z.boolean().optional(),
});

/** The members of an event that tell of its network: address, proxy, VPN. */
export const networkSignals = {
  ip_blocklist: IpBlocklist.optional(),
  ip_info: IpInfo.optional(),
  proxy: z.boolean().optional(),
  proxy_confidence: Level.optional(),
  proxy_details: z
    .looseObject({
      proxy_type: openEnum(PROXY_TYPES),
      last_seen_at: Timestamp.optional(),
      provider: z.string().optional(),
    })
    .optional(),
  proxy_ml_score: Ratio.optional(),
  vpn: z.boolean().optional(),
  vpn_confidence: Level.optional(),
  vpn_ml_score: Ratio.optional(),
  vpn_origin_timezone: z.string().optional(),
  vpn_origin_country: z.string().optional(),
  vpn_methods: VpnMethods.optional(),
};

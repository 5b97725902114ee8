import { originOf, type Event } from "@devid/sdk";
import type { Attribute } from "./impact";

/** In characters: what is longer counts as what it begins with. */
const LONGEST = 512;

/** What the events of a change are counted by. */
export const ATTRIBUTES: Readonly<
  Record<Attribute, (event: Event) => string | undefined>
> = {
  origin: (event) => cut(originOf(event)),
  country: ({ ip_info: info }) =>
    cut(
      info?.v4?.geolocation?.country_code ??
        info?.v6?.geolocation?.country_code,
    ),
  asn: ({ ip_info: info }) => {
    const network = typeof info?.v4?.asn === "string" ? info.v4 : info?.v6;
    return cut(
      network?.asn && [network.asn, network.asn_name].filter(Boolean).join(" "),
    );
  },
  userAgent: ({ user_agent: userAgent }) => cut(userAgent),
  linkedId: ({ linked_id: linkedId }) => cut(linkedId),
};

/** Copied, so that the long text is not kept for its beginning. */
function cut(text: string | null | undefined): string | undefined {
  if (typeof text !== "string") return undefined;
  if (text.length <= LONGEST) return text;
  return Buffer.from(text.slice(0, LONGEST)).toString();
}

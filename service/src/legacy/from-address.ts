import type { Event } from "@devid/sdk";

type AddressInfo = NonNullable<NonNullable<Event["ip_info"]>["v4"]>;
type Geolocation = NonNullable<AddressInfo["geolocation"]>;

/** `ipInfo.data` of version 3; undefined where an event has no such signal. */
export function addressesOf({ ip_info: info }: Event): object | undefined {
  if (!info) return undefined;
  return {
    v4: info.v4 && addressOf(info.v4),
    v6: info.v6 && addressOf(info.v6),
  };
}

/** `identification.data.ipLocation`: where the event's own address is. */
export function locationOf({ ip_address, ip_info }: Event): object | undefined {
  const known = [ip_info?.v4, ip_info?.v6];
  const own = known.find((info) => info && info.address === ip_address);
  return own?.geolocation ? placeOf(own.geolocation) : undefined;
}

function addressOf(info: AddressInfo): object {
  const { address, geolocation, asn, datacenter_result: isDatacenter } = info;
  return {
    address,
    geolocation: geolocation && placeOf(geolocation),
    asn: asn && {
      asn,
      name: info.asn_name,
      network: info.asn_network,
      type: info.asn_type,
    },
    datacenter:
      (isDatacenter ?? undefined) === undefined
        ? undefined
        : { result: isDatacenter, name: info.datacenter_name },
  };
}

function placeOf(place: Geolocation): object {
  const {
    city_name: city,
    country_code: country,
    continent_code: continent,
  } = place;
  return {
    accuracyRadius: place.accuracy_radius,
    latitude: place.latitude,
    longitude: place.longitude,
    postalCode: place.postal_code,
    timezone: place.timezone,
    city: (city ?? undefined) === undefined ? undefined : { name: city },
    country:
      (country ?? undefined) === undefined
        ? undefined
        : { code: country, name: place.country_name },
    continent:
      (continent ?? undefined) === undefined
        ? undefined
        : { code: continent, name: place.continent_name },
    subdivisions: place.subdivisions?.map((part) => ({
      isoCode: part?.iso_code,
      name: part?.name,
    })),
  };
}

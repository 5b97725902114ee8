import { z } from "zod";
import { Count } from "./scalars";

/** Where an address is thought to be. Codes of countries and continents have two letters. */
export const Geolocation = z.looseObject({
  accuracy_radius: Count.meta({ minimum: 0 }).nullish(),
  latitude: z.number().meta({ minimum: -90, maximum: 90 }).nullish(),
  longitude: z.number().meta({ minimum: -180, maximum: 180 }).nullish(),
  postal_code: z.string().nullish(),
  timezone: z.string().nullish(),
  city_name: z.string().nullish(),
  country_code: z.string().nullish(),
  country_name: z.string().nullish(),
  continent_code: z.string().nullish(),
  continent_name: z.string().nullish(),
  subdivisions: z
    .array(
      z
        .looseObject({
          iso_code: z.string().nullable(),
          name: z.string().nullable(),
        })
        .nullable(),
    )
    .nullish(),
});

/** What is known about one address. */
export const AddressInfo = z.looseObject({
  address: z.string().nullable(),
  geolocation: Geolocation.nullish(),
  asn: z.string().nullish(),
  asn_name: z.string().nullish(),
  asn_network: z.string().nullish(),
  asn_type: z.string().nullish(),
  datacenter_result: z.boolean().nullish(),
  datacenter_name: z.string().nullish(),
});

/** The addresses that the event came from. */
export const IpInfo = z.looseObject({
  v4: AddressInfo.nullish(),
  v6: AddressInfo.nullish(),
});

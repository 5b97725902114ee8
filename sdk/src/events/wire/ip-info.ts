import { z } from "zod";
import { Count } from "./scalars";

/** Where an address is thought to be. Codes of countries and continents have two letters. */
export const Geolocation = z.looseObject({
  accuracy_radius: Count.meta({ minimum: 0 }).optional(),
  latitude: z.number().meta({ minimum: -90, maximum: 90 }).optional(),
  longitude: z.number().meta({ minimum: -180, maximum: 180 }).optional(),
  postal_code: z.string().optional(),
  timezone: z.string().optional(),
  city_name: z.string().optional(),
  country_code: z.string().optional(),
  country_name: z.string().optional(),
  continent_code: z.string().optional(),
  continent_name: z.string().optional(),
  subdivisions: z
    .array(z.looseObject({ iso_code: z.string(), name: z.string() }))
    .optional(),
});

/** What is known about one address. */
export const AddressInfo = z.looseObject({
  address: z.string(),
  geolocation: Geolocation.optional(),
  asn: z.string().optional(),
  asn_name: z.string().optional(),
  asn_network: z.string().optional(),
  asn_type: z.string().optional(),
  datacenter_result: z.boolean().optional(),
  datacenter_name: z.string().optional(),
});

/** The addresses that the event came from. */
export const IpInfo = z.looseObject({
  v4: AddressInfo.optional(),
  v6: AddressInfo.optional(),
});

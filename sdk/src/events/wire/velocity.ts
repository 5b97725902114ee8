import { z } from "zod";
import { Count } from "./scalars";

/** How often something was seen within the time before the event. */
export const VelocityCount = z.looseObject({
  "5_minutes": Count.nullable(),
  "1_hour": Count.nullable(),
  "24_hours": Count.nullish(),
});

/** What was counted for the visitor, the address and the linked ID. */
export const Velocity = z.looseObject({
  distinct_ip: VelocityCount.nullish(),
  distinct_linked_id: VelocityCount.nullish(),
  distinct_country: VelocityCount.nullish(),
  events: VelocityCount.nullish(),
  ip_events: VelocityCount.nullish(),
  distinct_ip_by_linked_id: VelocityCount.nullish(),
  distinct_visitor_id_by_linked_id: VelocityCount.nullish(),
});

import { z } from "zod";
import { Count } from "./scalars";

/** How often something was seen within the time before the event. */
export const VelocityCount = z.looseObject({
  "5_minutes": Count,
  "1_hour": Count,
  "24_hours": Count.optional(),
});

/** What was counted for the visitor, the address and the linked ID. */
export const Velocity = z.looseObject({
  distinct_ip: VelocityCount.optional(),
  distinct_linked_id: VelocityCount.optional(),
  distinct_country: VelocityCount.optional(),
  events: VelocityCount.optional(),
  ip_events: VelocityCount.optional(),
  distinct_ip_by_linked_id: VelocityCount.optional(),
  distinct_visitor_id_by_linked_id: VelocityCount.optional(),
});

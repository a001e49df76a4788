/** What is said of a service that does not answer. */
export const BLOCKED = "the service is blocked";

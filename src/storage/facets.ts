/**
 * The numbers of facets: all events, the featured ones, and those with a term, venue or organizer. What is translated
 * counts as one, under the id of its group.
 */
export const FACETS = {
  all: 0,
  featured: 1,
  term: (groupId: number) => groupId * 4 + 2,
  place: (groupId: number) => groupId * 4 + 3,
} as const

import type { DemoClient } from './client.ts'

// What happens to some events of the demo: one in each state, and regular ones that take place online.

/** A change that the organizer announces after the event was published. */
export interface Announcement {
  readonly event_status: 'canceled' | 'postponed' | 'rescheduled' | 'moved_online'
  readonly virtual_url?: string
  /** The number of days until the new date. */
  readonly days?: number
  readonly reasons: { readonly french: string; readonly english: string }
}

/** Announcements by French title. Each is for the first upcoming event with that title, or else for the last one. */
export const ANNOUNCEMENTS: Readonly<Record<string, Announcement>> = {
  'Rencontre avec Kevin Raphaël': {
    event_status: 'canceled',
    reasons: { french: 'L’invité est malade.', english: 'The guest is sick.' },
  },
  'Éveil à la lecture avec Bouquine et Bizou': {
    event_status: 'canceled',
    reasons: { french: 'L’animatrice est malade.', english: 'The host is sick.' },
  },
  'Jeune Public - Hercule et Naïade': {
    event_status: 'postponed',
    reasons: {
      french: 'La troupe est retenue à Québec par la tempête de neige. Vos billets restent valides.',
      english: 'A snowstorm is keeping the company in Québec City. Your tickets remain valid.',
    },
  },
  'Chouettes, des hiboux!': {
    event_status: 'rescheduled',
    days: 7,
    reasons: { french: 'Le sentier est trop glacé cette semaine.', english: 'The trail is too icy this week.' },
  },
  "Reconnaître l'hameçonnage et s'en protéger": {
    event_status: 'moved_online',
    virtual_url: 'https://rencontre.example.org/hameconnage',
    reasons: {
      french: 'La bibliothèque est fermée en raison d’un dégât d’eau.',
      english: 'The library is closed because of water damage.',
    },
  },
}

/** How people attend all events with a French title. */
export const ONLINE: Readonly<Record<string, object>> = {
  'Club de lecture en virtuel': {
    attendance: 'online',
    virtual_url: 'https://rencontre.example.org/lecture',
    virtual_access: 'registered',
  },
  'Séance ordinaire du conseil municipal': {
    attendance: 'mixed',
    virtual_url: 'https://webdiffusion.example.org/conseil',
  },
}

/** The ids of an event in both languages. */
export interface EventVersions {
  readonly french: number
  readonly english: number | undefined
}

/** Announces a change of an event, with its reason in each language. */
export async function announce(
  client: DemoClient,
  { french, english }: EventVersions,
  { reasons, ...change }: Omit<Announcement, 'days'> & { readonly start_date?: string; readonly end_date?: string },
): Promise<void> {
  await client.change(french, { ...change, event_status_reason: reasons.french })
  if (english !== undefined) await client.change(english, { event_status_reason: reasons.english })
}

/** Who is behind an event: what an organizer has besides the texts of every record. */
export interface OrganizerFields {
  readonly phone: string
  readonly website: string
  /** Not checked to be an address (rulings.md 22). */
  readonly email: string
}

export const blankOrganizer: OrganizerFields = { phone: '', website: '', email: '' }

import type { ImageJson } from '../../calendar/media/media.schema.ts'
import type { EventSource } from '../api/answers.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { Faults } from '../shell/fields.ts'
import type { PictureJson } from '../shell/picture.json.ts'
import type { EventJson } from './event.json.ts'

export type EditorValues = Readonly<Record<string, string>>

/** The event in one language: a record of its own, or none yet. */
export interface Version {
  readonly language: string
  readonly id: number | undefined
  readonly status: string
  /** The version that the form shows, for `If-Match`. */
  readonly version: string
  readonly url: string | undefined
}

/** What the editor shows, and what it compares with when it is saved. */
export interface EditorState {
  /** The event at the address of the editor; undefined for a new one. */
  readonly id: number | undefined
  readonly status: string
  /** The languages that are edited side by side. The first one is that of the event at the address. */
  readonly versions: readonly Version[]
  readonly values: EditorValues
  /** The values when the form was made. */
  readonly was: EditorValues
  readonly image: EditorImage | undefined
  /** The versions of an event that exists, as they were read. */
  readonly read?: readonly ReadVersion[]
  /** The venue that is saved, if there is one alone. */
  readonly venueId?: number | undefined
  /** The series of which the event is a date. */
  readonly series?: SeriesState | undefined
  /** Set if the event went away while the form was filled. */
  readonly lost?: Lost
}

/** A picture, as the editor shows it. */
export type EditorImage = Pick<ImageJson, 'id' | 'url' | 'sizes'>

/** An event that is in the trash, or that the user can no longer reach. */
export interface Lost {
  readonly isRestorable: boolean
  /** The ids of its versions, by language. */
  readonly ids: Readonly<Record<string, number>>
  /** The button with which the save began. */
  readonly asked: string
}

/** The series of a date, as the editor shows it. */
export interface SeriesState {
  readonly id: number
  /** The rule in words. */
  readonly text: string
  /** The local start that the rule gave the date. */
  readonly recurrenceId: string
  /** The fields in which the date does not follow the series, by the id of the version that has them. */
  readonly own: readonly { readonly id: number; readonly language: string; readonly field: string }[]
}

/** What else the editor shows. */
export interface EditorMessages {
  /** Whether the page was opened by its address. Otherwise it shows what was typed. */
  readonly isOpened?: boolean
  /** Whether the page asks if the event shall be public without one of its languages. */
  readonly isAsked?: boolean
  readonly faults?: Faults
  readonly notice?: string
  /** What else is worth a look. */
  readonly checks?: readonly { readonly field: string; readonly text: string }[]
  /** What somebody else has saved meanwhile, by field. */
  readonly saved?: Readonly<Record<string, string>>
  /** The pictures from which one can be chosen. */
  readonly library?: Library
  /** The dates of what repeats. */
  readonly dates?: RepeatDates | undefined
}

/** Pictures of the library, and the words by which they were found. */
export interface Library {
  readonly words: string
  readonly pictures: readonly PictureJson[]
}

/** A date of what repeats, before anything is saved. */
export interface RepeatDate {
  /** The date as the form names it: `2030-01-05` or `2030-01-05 19:00`. */
  readonly date: string
  readonly text: string
  /** The title of another event at the same time in the same place. */
  readonly clash: string | undefined
  readonly isFirst: boolean
}

/** All dates of what repeats, or a text instead of them. */
export interface RepeatDates {
  readonly dates: readonly RepeatDate[]
  readonly total: number
  readonly summary: string
  readonly clash: string | undefined
  readonly text: string | undefined
}

/** An event in one language, as the interface tells it. */
export interface ReadVersion {
  readonly source: EventSource
  readonly event: EventJson
  readonly version: Version
  /** The status of the version at the address of the editor. */
  readonly mainStatus: string
}

/** A venue, organizer, category or tag that exists. */
export interface Known {
  readonly id: number
  readonly name: string
  readonly city: string
  readonly address: string
  readonly version: number
}

/** A venue that a person means: one that exists, or a new one. */
export interface Place {
  readonly name: string
  readonly city: string
  readonly address?: string
  readonly known: Known | undefined
}

/** The write of a version of an event. */
export interface Sending {
  readonly call: OwnCall
  readonly state: EditorState
  readonly version: Version
  /** The next status of the event. */
  readonly status: string
  /** The venue that the form names. */
  readonly venue: Place | undefined
}

/** The page on which a field is shown. */
export interface ShownIn {
  readonly call: OwnCall
  readonly state: EditorState
  readonly messages: EditorMessages
  /** The language of a text, and the one from which it can be copied. */
  readonly language?: string
  readonly from?: string | undefined
}

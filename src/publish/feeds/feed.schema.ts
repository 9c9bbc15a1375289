import Type from 'typebox'
import { withDescription } from '../../access/http/schema.ts'

/** A list of events in a format other than JSON. */
export const FeedSchema = Type.String({ $id: 'Feed', ...withDescription('Feed') })

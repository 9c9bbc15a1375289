import type { SchemaKit } from '../../../access/http/schema.ts'
import { optionalField } from '../../records/field.ts'
import { availabilityRule, availabilitySchema, capacityRule, offersRule, offersSchema } from './offers.arguments.ts'
import { AVAILABILITIES, type Availability, type Capacity, maxCapacity, noOffers, type Offer } from './offers.ts'

// The fields that tell what it takes to attend an event. They are entries of the table of all fields.

/** In the order of the arguments, the JSON and the table `events`. */
export const offerFields = {
  offers: optionalField('offers', {
    argument: { read: offersRule, description: 'offers', schema: offersSchema, isExtension: true },
    column: 'offers',
    fromStored: (stored: string): readonly Offer[] =>
      stored === '[]' ? noOffers : (JSON.parse(stored) as readonly Offer[]),
    toStored: (offers): string => JSON.stringify(offers),
    blank: noOffers,
    isLong: true,
    schema: ({ Type, text, oneOf }: SchemaKit) =>
      Type.Array(
        Type.Object({
          name: Type.Optional(text('Offer.name')),
          url: Type.Optional(Type.String({ description: 'Offer.url', format: 'uri' })),
          price: Type.Optional(text('Offer.price')),
          low_price: Type.Optional(text('Offer.low_price')),
          high_price: Type.Optional(text('Offer.high_price')),
          currency: Type.Optional(text('Offer.currency')),
          valid_from: Type.Optional(text('Offer.valid_from')),
          valid_through: Type.Optional(text('Offer.valid_through')),
          availability: Type.Optional(oneOf(AVAILABILITIES, 'availability')),
        }),
        { description: 'offers' },
      ),
    present: (offers) => offers as Offer[],
    isMasked: true,
    isShared: true,
    auditedAs: 'json',
    cell: undefined,
  }),
  availability: optionalField('availability', {
    argument: {
      read: availabilityRule,
      description: 'availability',
      schema: availabilitySchema,
      type: 'string',
      isExtension: true,
    },
    column: 'availability',
    fromStored: (stored: Availability | ''): Availability | '' => stored,
    toStored: (word): Availability | '' => word,
    blank: '' as Availability | '',
    isLong: false,
    schema: ({ oneOf }: SchemaKit) => oneOf([...AVAILABILITIES, ''], 'availability'),
    present: (word) => word,
    isMasked: true,
    isShared: true,
    auditedAs: 'plain',
    cell: undefined,
  }),
  capacity: optionalField('capacity', {
    argument: {
      read: capacityRule,
      description: 'capacity',
      schema: { type: ['integer', 'null'], minimum: 0, maximum: maxCapacity },
      type: 'integer',
      isExtension: true,
    },
    column: 'capacity',
    fromStored: (stored: number | null): Capacity => stored ?? 'unknown',
    toStored: (capacity): number | null => (capacity === 'unknown' ? null : capacity),
    blank: 'unknown' as Capacity,
    isLong: false,
    schema: ({ Type }: SchemaKit) => Type.Integer({ minimum: 0, description: 'capacity' }),
    present: (capacity) => Number(capacity),
    isMasked: true,
    isShared: true,
    auditedAs: 'plain',
    cell: undefined,
  }),
}

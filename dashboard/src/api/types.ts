// The words of the API by their short names. The client and these are generated from the server's own description.
import type { components } from './api.gen'

type Schemas = components['schemas']

export type Order = Schemas['Order']
export type OrderDraft = Schemas['OrderDraft']
export type OrderEdit = Schemas['OrderEdit']
export type OrderPage = Schemas['OrderPage']
export type Counts = Schemas['Counts']
export type Category = Order['category']
export type Importance = Order['importance']
export type Offer = Schemas['Offer']
export type OfferDraft = Schemas['OfferDraft']
export type Sale = Schemas['Sale']
export type SaleDraft = Schemas['SaleDraft']
export type SentOffer = Schemas['SentOffer']
export type Me = Schemas['Me']
export type User = NonNullable<Me['user']>
export type Notice = Schemas['Notice']
export type NoticePage = Schemas['NoticePage']
export type NoticeKind = Notice['kind']
export type NoticeSettings = Schemas['NoticeSettings']
export type Report = Schemas['Report']
export type AuditEntry = Schemas['AuditEntry']
export type BlockedUser = Schemas['BlockedUser']
export type Problem = Schemas['Problem']

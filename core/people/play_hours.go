package people

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/hours"
)

// PlayHours returns when the actor plays. It fails with Unauthenticated.
func (m *Service) PlayHours(ctx context.Context, actor core.Actor) (PlayHours, error) {
	if err := actor.MustBeUser(); err != nil {
		return PlayHours{}, err
	}
	p, err := m.store.PlayHours(ctx, actor.UserID)
	if err != nil {
		return PlayHours{}, fmt.Errorf("play hours of user %d: %w", actor.UserID, err)
	}
	return p, nil
}

// PlayWeeks returns when users play, of those who have said so. It is for rules: adapters tell nobody.
func (m *Service) PlayWeeks(
	ctx context.Context, users []core.UserID,
) (map[core.UserID]hours.Week, error) {
	weeks, err := m.store.PlayWeeks(ctx, users)
	if err != nil {
		return nil, fmt.Errorf("play hours of %d users: %w", len(users), err)
	}
	return weeks, nil
}

// SavePlayHours stores the hours of the week, in UTC, in which the actor plays. It fails with
// Unauthenticated and Invalid.
func (m *Service) SavePlayHours(ctx context.Context, actor core.Actor, list []int) error {
	return m.writeHours(ctx, actor, "save play hours", list, func(tx Tx, now time.Time) error {
		week, err := hours.Of(list)
		if err != nil {
			return err
		}
		return tx.SavePlayHours(ctx, actor.UserID, week, now)
	})
}

// LearnPlayHours switches on or off that hours are learned from "We met". Off removes what was learned. It
// fails with Unauthenticated.
func (m *Service) LearnPlayHours(ctx context.Context, actor core.Actor, on bool) error {
	return m.writeHours(ctx, actor, "learn play hours", on, func(tx Tx, now time.Time) error {
		return tx.SaveLearning(ctx, actor.UserID, on, now)
	})
}

// ErasePlayHours removes what the actor has said and what was learned, and ends the learning. It fails with
// Unauthenticated.
func (m *Service) ErasePlayHours(ctx context.Context, actor core.Actor) error {
	return m.writeHours(ctx, actor, "erase play hours", nil, func(tx Tx, now time.Time) error {
		return tx.ErasePlayHours(ctx, actor.UserID, now)
	})
}

func (m *Service) writeHours(
	ctx context.Context, actor core.Actor, operation string, input any, do func(Tx, time.Time) error,
) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, operation, input,
		func(tx Tx, now time.Time) (struct{}, error) { return struct{}{}, do(tx, now) })
	return err
}

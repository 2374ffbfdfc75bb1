package match

import (
	"context"
	"fmt"
	"time"

	"tradepost/core/cache"
	"tradepost/core/match"
	"tradepost/sql/postgres/kernel"
)

// vocabulary is the cached words of the open orders. Reading them takes some 40 ms where there are many, and
// each post changes them, so a process reads them for a twentieth of the time at most; in between they are a
// moment old.
type vocabulary struct {
	entry *cache.Entry[readWords]
}

type readWords struct {
	words match.Vocabulary
	at    time.Time
	took  time.Duration
}

const vocabularyShare = 20

// Vocabulary returns the words of the newest open orders.
func (s *Store) Vocabulary(ctx context.Context, now time.Time) (match.Vocabulary, error) {
	if latest, ok := s.vocabulary.entry.Latest(); ok && time.Since(latest.at) < vocabularyShare*latest.took {
		return latest.words, nil
	}
	read, err := s.vocabulary.entry.Get(ctx, now, func(ctx context.Context) (readWords, time.Time, error) {
		began := time.Now()
		words, err := s.readVocabulary(ctx, now)
		return readWords{words, time.Now(), time.Since(began)}, time.Time{}, err
	})
	return read.words, err
}

func (s *Store) readVocabulary(ctx context.Context, now time.Time) (match.Vocabulary, error) {
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, q kernel.Source) (match.Vocabulary, error) {
		texts, err := q.NewestTexts(ctx, now, match.MaxVocabularyOrders)
		if err != nil {
			return nil, fmt.Errorf("read words: %w", err)
		}
		words := match.Vocabulary{}
		for _, text := range texts {
			words.Add(text.ItemName, true)
			words.Add(text.BuyerContact, false)
			words.Add(kernel.OrZero(text.InGameName), false)
			words.Add(text.Description, false)
		}
		return words, nil
	})
}

module tradepost/tools/rules

go 1.26.0

require (
	golang.org/x/text v0.43.0
	tradepost v0.0.0
)

replace tradepost => ../..

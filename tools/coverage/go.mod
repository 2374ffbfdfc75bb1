module tradepost/tools/coverage

go 1.26

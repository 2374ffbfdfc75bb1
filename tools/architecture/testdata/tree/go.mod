module tradepost

go 1.26

module entraemulator.example/kit

go 1.19
